/**
 * Node's HTTP module, as CommonJS has it. An import would read all that it exports, down to the client
 * of `fetch`, which the first answer would wait for.
 */
export const nodeHttp: typeof import('node:http') = process.getBuiltinModule('node:http');
