/** Where users of Apache XTable look for its command line. */
package org.apache.xtable.utilities;
