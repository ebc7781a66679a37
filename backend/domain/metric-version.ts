/** Version of every computed quantity; stored with each stored reading. */
export const METRIC_VERSION = 1
