import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { asksForKey } from '../../openapi/model/key-places.ts';
import { isBearer, type Requirement } from '../../openapi/model/security.ts';
import { boundedPageSize } from '../document/stated.ts';
import { planBodies, toBodyText, validFields } from './bodies.ts';
import { plainCall } from './call-cases.ts';
import { type Case, type CredentialForm, plainCase } from './case.ts';
import { createCase } from './create-cases.ts';
import { completeCase } from './example-call.ts';
import { filterValues, listCase } from './list-cases.ts';

const everyForm: CredentialForm[] = [
  'none',
  'unknown',
  'empty',
  'scheme-only',
  'truncated',
  'altered',
  'prefixed',
  'in-cookie',
  'extended',
  'other-case',
  'basic',
  'no-scheme',
  'other-scheme',
  'in-query',
  'in-header',
  'lower-case-scheme',
];
const showingTheKey: CredentialForm[] = ['in-query', 'in-header', 'in-cookie'];

/** Every operation with each form of an invalid credential. */
export function credentialCases(document: Api): Case[] {
  return document.operations
    .filter((one) => asksForKey(one) && (one.method === 'GET' || one.kind === 'create'))
    .filter((one) => !('lacks' in completeCase(document, plainCase(one, ''))))
    .flatMap((operation) =>
      formsFor(operation).map((form) => credentialCase(document, operation, form)),
    )
    .concat(document.resources.flatMap((resource) => withParameters(document, resource)));
}

/** Returns the invalid forms to try: fewer if the operation accepts more than a bearer token. */
function formsFor({ waysIn }: Operation): readonly CredentialForm[] {
  const isToken = waysIn.every((way) => way.length === 1 && way.every(isOfBearer));
  return isToken ? everyForm : ['none', 'unknown'];
}

function isOfBearer({ scheme }: Requirement): boolean {
  return isBearer(scheme) && scheme.words === undefined;
}

/** A list with parameters needs a key too. */
function withParameters(document: Api, resource: Resource): Case[] {
  const filters = Object.fromEntries(filterValues({ document, resource }).slice(0, 1));
  const { list } = resource.operations;
  const size = boundedPageSize(resource);
  if (!list || !asksForKey(list)) return [];
  if (!size && Object.keys(filters).length === 0) return [];
  const asked = listCase(list, {
    filters,
    ...(size && { limit: size.min }),
  });
  return [
    {
      ...asked,
      id: `${asked.id} (no key)`,
      credential: 'none',
      purpose: { kind: 'credential', form: 'none' },
    },
  ];
}

function credentialCase(document: Api, operation: Operation, form: CredentialForm): Case {
  const resource = findResource(document, operation);
  const purpose = { kind: 'credential', form } as const;
  const priority = form === 'none' || form === 'unknown' ? 1 : 2;
  if (operation.kind === 'create' && resource) {
    const marker = `${form} key {{run}}`;
    const plan = planBodies(document, resource);
    const body = toBodyText(plan, validFields(plan, marker));
    const made = createCase(operation, `key ${form}`, body, purpose, priority, marker);
    return { ...made, path: made.path + queryOf(form), credential: form };
  }
  const plain = plainCall(document, operation, `key ${form}`);
  return {
    ...plain,
    path: plain.path + queryOf(form),
    credential: form,
    purpose,
    priority,
    writes: showingTheKey.includes(form),
  };
}

function queryOf(form: CredentialForm): string {
  return form === 'in-query'
    ? '?access_token={{key}}&api_key={{key}}&apiKey={{key}}&key={{key}}&token={{key}}'
    : '';
}
