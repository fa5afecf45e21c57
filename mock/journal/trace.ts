/** The headers of W3C Trace Context, which go on with what a request causes. */
export type TraceHeaders = { traceparent?: string; tracestate?: string };

const ids = '(?!0{32})[\\da-f]{32}-(?!0{16})[\\da-f]{16}-[\\da-f]{2}';
/** Version, trace id, parent id and flags; a version after 00 may have more. */
const form = new RegExp(`^(?:00-${ids}|(?!00|ff)[\\da-f]{2}-${ids}(?:-[\\w-]*)?)$`);

/** Returns the trace headers among others, by their names in lower case; none without a valid id. */
export function traceOf({
  traceparent,
  tracestate,
}: Readonly<Record<string, unknown>>): TraceHeaders {
  if (typeof traceparent !== 'string' || !form.test(traceparent)) return {};
  return { traceparent, ...(typeof tracestate === 'string' && { tracestate }) };
}
