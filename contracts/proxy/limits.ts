/** The largest headers that pass, in bytes. */
export const maxHeaderSize = 256 * 1024;

/** How many requests of one connection may await their responses. */
export const maxPipelined = 100;

/** How many connections of clients there may be; each has one of its own to the target. */
export const maxConnections = 1024;

/** How many interim responses (1xx) an exchange may have. */
export const maxInterim = 1000;

/** The maximum wait for the headers of a request, once its first byte is there, in milliseconds. */
export const headersTimeout = 60_000;
