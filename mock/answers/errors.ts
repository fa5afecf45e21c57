/**
 * An error as the API reports it (§2 Error, §7): `code` for programs, `message` for people, and the
 * HTTP status.
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
    when: 'The name of the sandbox is invalid, or the request names two.',
  },
  invalid_parameter: {
    status: 400,
    when: 'A query parameter, or the name of a snapshot or fault, is invalid.',
  },
  invalid_preference: {
    status: 400,
    when: 'A preference has an invalid value or names an unknown example.',
  },
  malformed_json: {
    status: 400,
    when: 'The body is empty, is not valid UTF-8, is not valid JSON, is nested more than 1,000 levels deep, or has more than 8,000,000 values or 500,000 numbers that a double cannot hold.',
  },
  malformed_body: {
    status: 400,
    when: 'The body is not what its media type says, such as a form without valid percent-encoding.',
  },
  invalid_body: {
    status: 400,
    when: 'The body is JSON, but a field is missing or has a wrong value.',
  },
  missing_api_key: { status: 401, when: 'The Authorization header is missing.' },
  invalid_api_key: { status: 401, when: 'The Authorization header has no valid API key.' },
  insufficient_scope: {
    status: 403,
    when: 'The access token lacks a scope that the operation of another document needs.',
  },
  host_not_allowed: {
    status: 403,
    when: 'The Host header names a host that is not on the list of allowed hosts.',
  },
  admin_forbidden: {
    status: 403,
    when: 'The admin is off, or was called by a page of another origin or by a webhook of the mock.',
  },
  unknown_path: { status: 404, when: 'No operation has this path.' },
  not_found: { status: 404, when: 'Nothing has this id or name.' },
  method_not_allowed: {
    status: 405,
    when: 'The path does not support this method; Allow lists those it supports.',
  },
  not_acceptable: {
    status: 406,
    when: 'The document describes no response of a media type that the Accept header allows.',
  },
  request_timeout: { status: 408, when: 'The request did not arrive in time.' },
  default_sandbox: { status: 409, when: 'The default sandbox cannot be deleted.' },
  journal_off: {
    status: 409,
    when: 'The journal is off (--journal-entries 0).',
  },
  id_taken: { status: 409, when: 'An item has the id that a new one was given.' },
  value_taken: {
    status: 409,
    when: 'Another item has the value of a property that the document marks as unique (`x-unique`).',
  },
  has_children: {
    status: 409,
    when: 'The item has others below it, and the mock is set to keep such items (--on-delete-parent refuse).',
  },
  too_many_tasks: {
    status: 409,
    when: 'More tasks ran in one move of the clock than may: the clock stands before the next one.',
  },
  too_many_snapshots: { status: 409, when: 'The sandbox has the maximum number of snapshots.' },
  out_of_room: {
    status: 409,
    when: 'Sandboxes and snapshots have reached their memory limit. Creating an item can get this too.',
  },
  limits_not_enforced: {
    status: 409,
    when: 'The change would have no effect, because the sandbox does not enforce such limits.',
  },
  domain_refused: {
    status: 409,
    when: 'The project may not have the domain or redirect, or a package that it needs is missing; the message says why.',
  },
  operation_removed: { status: 410, when: 'The deprecated operation is past its removal date.' },
  precondition_failed: {
    status: 412,
    when: 'The item has another entity tag than `If-Match` names, one that `If-None-Match` names, or another version.',
  },
  payload_too_large: {
    status: 413,
    when: 'The body is larger than 1 MiB (a snapshot: 64 MiB, or less with a small heap), after decompression.',
  },
  unsupported_media_type: {
    status: 415,
    when: 'The body is not JSON in UTF-8, or has an unknown content coding.',
  },
  expectation_failed: {
    status: 417,
    when: 'The Expect header asks for something other than 100-continue.',
  },
  precondition_required: {
    status: 428,
    when: 'The operation requires `If-Match` or `If-Unmodified-Since`, and describes 428 for a request without it.',
  },
  rate_limit_exceeded: {
    status: 429,
    when: 'The key has used up its requests of this minute or day.',
  },
  key_banned: { status: 429, when: 'The key continued to call after it was refused.' },
  headers_too_large: { status: 431, when: 'The request line and headers are larger than 16 KiB.' },
  internal_error: {
    status: 500,
    when: 'The mock failed, which is a bug in it, or the response was requested.',
  },
  behaviour_failed: {
    status: 500,
    when: 'A behaviour of your own (--behaviours) threw, took too long, or gave what the document forbids; the message says where.',
  },
  no_response_described: {
    status: 501,
    when: 'The document describes no response for the operation.',
  },
  not_installed: {
    status: 501,
    when: 'The operation of the admin needs an optional package that is not installed.',
  },
  method_not_implemented: { status: 501, when: 'This is not an HTTP method.' },
  transfer_coding_not_implemented: {
    status: 501,
    when: 'The body has a transfer coding other than chunked.',
  },
  bad_gateway: {
    status: 502,
    when: 'The real service that the operation is forwarded to (--forward) gave no answer that can be passed on.',
  },
  starting_or_stopping: { status: 503, when: 'The mock is starting or stopping.' },
  store_unavailable: {
    status: 503,
    when: 'The store (--store) cannot be used at the moment. Nothing was changed, unless only the reply of a Redis server was lost: then it may have stored the change.',
  },
  gateway_timeout: {
    status: 504,
    when: 'The real service that the operation is forwarded to (--forward) did not answer in 30 seconds.',
  },
  version_not_supported: { status: 505, when: 'The request is not HTTP/1.0 or HTTP/1.1.' },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/**
 * Returns the Error object for a code, with the table's status unless the document states another.
 * The message names the mistake, its place and the expected value.
 */
export function toErrorBody(
  code: ErrorCode,
  message: string,
  status: number = errorTable[code].status,
): ErrorBody {
  return { code, message, status };
}
