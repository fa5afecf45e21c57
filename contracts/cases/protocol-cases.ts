import type { Api, Operation } from '../../openapi/index.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { unusedMethod } from '../document/stated.ts';
import { type Case, plainCase, withId } from './case.ts';

/** Rules of RFCs where the interface is silent. */
export function protocolCases(document: Api): Case[] {
  return document.resources.flatMap(({ operations: { list, read } }): Case[] => {
    const unused = read && unusedMethod(document, read);
    const head = list && answersHeadAsGet(document, list);
    return [
      ...(head ? [protocolCase(list, 'HEAD', list.path, 'head')] : []),
      ...(read && unused !== undefined
        ? [protocolCase(read, unused, withId(read, `{{own.${read.resource}}}`), 'method')]
        : []),
    ];
  });
}

/** Whether HEAD has the success of a GET, unless the document describes it with another one. */
function answersHeadAsGet({ operations }: Api, { path }: Operation): boolean {
  const head = operations.find((one) => one.method === 'HEAD' && one.path === path);
  return head === undefined || isDescribed(head, 200);
}

function protocolCase(
  operation: Operation,
  method: string,
  path: string,
  rule: 'head' | 'method',
): Case {
  const { operation: _, ...plain } = plainCase(operation, method);
  return {
    ...plain,
    id: `${method} ${operation.path}`,
    parametersOf: operation,
    method,
    path,
    purpose: { kind: 'protocol', rule },
    priority: 2,
    writes: rule === 'method',
  };
}
