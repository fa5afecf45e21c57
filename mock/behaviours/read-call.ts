import { isObject } from '../../common/json.ts';
import { parametersIn } from '../../common/path-template.ts';
import type { Operation } from '../../openapi/index.ts';
import type { Behaviour, Call } from './behaviour.ts';

/** Gives a behaviour the calls of another operation as those of the one that it is read as. */
export function withReadCall(behaviour: Behaviour, readAs: Operation): Behaviour {
  return (call) => behaviour(toReadCall(call, readAs));
}

/** Puts the id of a call in its path, and what its body asks for in the query, as an operation has them. */
export function toReadCall(call: Call, { path, parameters }: Operation): Call {
  const { body, params, query, parameters: read } = call;
  const inPath = parametersIn(path);
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const fields = isObject(body) ? body : {};
  const held = Object.values(fields).filter(isObject);
  const sent: Record<string, unknown> = Object.assign({}, read?.query, query, ...held, fields);
  const isScalar = (one: unknown) => /^(string|number|bigint|boolean)$/.test(typeof one);
  const textsOf = (names: readonly string[]) =>
    Object.fromEntries(
      names.filter((name) => isScalar(sent[name])).map((name) => [name, String(sent[name])]),
    );
  const asked = inQuery.filter((name) => Object.hasOwn(sent, name));
  const left = Object.entries(fields).filter(([name]) => !inPath.includes(name));
  return {
    ...call,
    body: isObject(body) ? Object.fromEntries(left) : body,
    params: { ...textsOf(inPath), ...params },
    query: { ...query, ...textsOf(inQuery) },
    parameters: {
      ...{ path: {}, header: {}, cookie: {}, querystring: {}, ...read },
      query: { ...read?.query, ...Object.fromEntries(asked.map((name) => [name, sent[name]])) },
    },
  };
}
