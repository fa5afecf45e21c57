/**
 * What went wrong, as the API tells it (§2 Error, §7): `code` for programs, `message` for people,
 * the HTTP status.
 */
export type ErrorBody = { code: ErrorCode; message: string; status: number };

type ErrorRow = { status: number; when: string };

/** Every error of the twin: its code, its status, and when it is answered. */
export const errorTable = {
  malformed_request: {
    status: 400,
    when: 'The request is not valid HTTP, or its path or query is not valid percent-encoding.',
  },
  invalid_host: { status: 400, when: 'The Host header is missing, given twice or malformed.' },
  invalid_sandbox: {
    status: 400,
    when: 'The request names a sandbox by something that is no name, or two of them.',
  },
  invalid_parameter: {
    status: 400,
    when: 'A query parameter, or the name of a snapshot, breaks its rules.',
  },
  invalid_preference: {
    status: 400,
    when: 'A preference has a value that it cannot have, or names an unknown example.',
  },
  malformed_json: {
    status: 400,
    when: 'The body is empty, is not valid UTF-8, is not valid JSON or is nested more than 1,000 levels deep.',
  },
  invalid_body: {
    status: 400,
    when: 'The body is JSON, but a field is missing or has a wrong value.',
  },
  missing_api_key: { status: 401, when: 'There is no Authorization header.' },
  invalid_api_key: { status: 401, when: 'The Authorization header holds no valid API key.' },
  host_not_allowed: {
    status: 403,
    when: 'The Host header names a host that is not on the list of allowed hosts.',
  },
  admin_forbidden: {
    status: 403,
    when: 'The admin is off, or a page of another origin called it.',
  },
  unknown_path: { status: 404, when: 'No operation has this path.' },
  not_found: { status: 404, when: 'Nothing has this id.' },
  method_not_allowed: {
    status: 405,
    when: 'The path exists and has no such method; Allow lists those that it has.',
  },
  request_timeout: { status: 408, when: 'The request did not arrive in time.' },
  default_sandbox: { status: 409, when: 'The default sandbox cannot be deleted.' },
  journal_off: {
    status: 409,
    when: 'The twin keeps no requests, as it was started with --journal-entries 0.',
  },
  too_many_snapshots: { status: 409, when: 'The sandbox has as many snapshots as it may have.' },
  out_of_room: {
    status: 409,
    when: 'Sandboxes and snapshots take as much memory for items of their own, or faults as much, as they may; also where an item is created.',
  },
  limits_not_enforced: {
    status: 409,
    when: 'The limits of the sandbox are such that nothing would be refused by this change.',
  },
  operation_removed: { status: 410, when: 'The deprecated operation is past its removal date.' },
  payload_too_large: {
    status: 413,
    when: 'The body is larger than 1 MiB (a snapshot: 64 MiB, or less with a small heap), after decompression.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not sent as JSON in UTF-8, or in an unknown content coding.',
  },
  expectation_failed: {
    status: 417,
    when: 'The Expect header asks for something other than 100-continue.',
  },
  rate_limit_exceeded: {
    status: 429,
    when: "The key's requests of this minute or day are used up.",
  },
  key_banned: { status: 429, when: 'The key kept calling after it was refused.' },
  headers_too_large: { status: 431, when: 'The request line and headers are larger than 16 KiB.' },
  internal_error: {
    status: 500,
    when: 'The twin failed, which is a defect of the twin, or was asked to.',
  },
  no_response_described: {
    status: 501,
    when: 'The document describes no response of the operation.',
  },
  method_not_implemented: { status: 501, when: 'HTTP knows no such method.' },
  transfer_coding_not_implemented: {
    status: 501,
    when: 'The body has a transfer coding besides the chunked that ends it.',
  },
  starting_or_stopping: { status: 503, when: 'The twin is not ready.' },
  unread_answers: {
    status: 503,
    when: 'Large answers that clients have not read yet leave no room for this one.',
  },
  version_not_supported: { status: 505, when: 'The request is not HTTP/1.0 or HTTP/1.1.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** The Error object for a code. The message says what was wrong, where, and what was expected. */
export function toErrorBody(code: ErrorCode, message: string): ErrorBody {
  return { code, message, status: errorTable[code].status };
}
