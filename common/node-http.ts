/**
 * Modules of Node as CommonJS has them, the only ones that are taken so. An import would read all
 * that a module exports, down to the client of `fetch`, which the first answer would wait for; and
 * hardly a mock speaks TLS. No page imports this file.
 */
export const nodeHttp: typeof import('node:http') = process.getBuiltinModule('node:http');

export const loadHttps = () => process.getBuiltinModule('node:https');

export const loadTls = () => process.getBuiltinModule('node:tls');
