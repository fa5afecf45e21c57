import { createHash } from 'node:crypto';
import type { Api, Operation, Schema } from '../../openapi/index.ts';
import { boundedPageSize } from '../document/stated.ts';
import { type BodyPlan, planBodies, toBodyText, validFields } from './bodies.ts';
import type { Fields } from './body-parts.ts';
import { callCases } from './call-cases.ts';
import { type Case, type DescribedResource, readCases, readCreatedCases } from './case.ts';
import { createCase, createCases, createWithIdCases } from './create-cases.ts';
import { credentialCases } from './credential-cases.ts';
import { defaultCases } from './defaults.ts';
import { exampleValue, isFlag } from './example-value.ts';
import { freshValue } from './fresh-value.ts';
import { filterValues, listCase, listCases, surveyCases } from './list-cases.ts';
import { isSecret } from './made-secrets.ts';
import { protocolCases } from './protocol-cases.ts';
import { silenceCases } from './silence-cases.ts';
import { wrongBodiesFor, wrongValues } from './wrong-bodies.ts';

/** The cases of a run, in the stages in which they are made. */
export type Plan = {
  seed: number;
  /** The same document, seed and selection give the same plan. */
  hash: string;
  stages: { name: StageName; cases: Case[] }[];
};

export type StageName =
  | 'survey'
  | 'refusals'
  | 'survey after refusals'
  | 'reads'
  | 'creates'
  | 'reads of created items'
  | 'second survey'
  | 'repeats'
  | 'last survey'
  | 'pages'
  | 'methods';

/** Narrows a plan: by operation, and without anything that writes. */
export type Selection = {
  readOnly: boolean;
  /** The ids of operations that may be called whatever they change. */
  allowed?: readonly string[];
  includes: (one: Case) => boolean;
  /** Whether an operation is called only because chosen ones need what it shows, such as ids. */
  isNeeded: (operation: Operation) => boolean;
};

/** Creates the plan of a document: its cases, by stage. */
export function createPlan(
  document: Api,
  { seed, selection }: { seed: number; selection: Selection },
): Plan {
  const resources = document.resources.map((resource) => ({ document, resource }));
  const each = (make: (described: DescribedResource) => Case[]) => resources.flatMap(make);
  const creates = each(createCases);
  const silences = silenceCases(document);
  const credentials = credentialCases(document);
  const protocol = protocolCases(document);
  const methods = protocol.filter(({ writes }) => writes);
  const reads = [
    ...each(listCases),
    ...each(defaultCases),
    ...each(readCases),
    ...callCases(document, selection.allowed),
    ...credentials,
    ...protocol.filter(({ writes }) => !writes),
    ...silences,
  ];
  const invalid = each(invalidCreateCases);
  const refusals = [
    ...invalid.slice(0, 12),
    ...credentials.filter(({ method }) => method === 'POST'),
  ];
  const stages: Plan['stages'] = [
    { name: 'survey', cases: each((described) => surveyCases(described, 'before')) },
    { name: 'refusals', cases: refusals },
    {
      name: 'survey after refusals',
      cases: each((described) => surveyCases(described, 'refused')),
    },
    { name: 'reads', cases: reads.filter((one) => !isMadeLate(one)) },
    {
      name: 'creates',
      cases: [...creates, ...invalid, ...reads.filter(isMadeLate)].filter(
        (one) => !refusals.includes(one),
      ),
    },
    {
      name: 'reads of created items',
      cases: [
        ...each(createWithIdCases),
        ...each((described) => readCreatedCases(described, creates)),
      ],
    },
    { name: 'second survey', cases: each((described) => surveyCases(described, 'after')) },
    {
      name: 'repeats',
      cases: reads
        .filter((one) => !one.writes && one.method === 'GET' && one.credential === 'valid')
        .map(again),
    },
    { name: 'last survey', cases: each((described) => surveyCases(described, 'last')) },
    { name: 'pages', cases: each(pageCases) },
    { name: 'methods', cases: methods },
  ];
  const isAllowed = ({ operation }: Case) =>
    operation !== undefined && selection.allowed?.includes(operation.id) === true;
  const needed = resources.flatMap((described) =>
    surveyCases(described, 'before').slice(0, 1).map(toNeeded),
  );
  const selected = stages.map(({ name, cases }) => ({
    name,
    cases: [
      ...(name === 'survey' ? needed.filter(({ operation }) => selection.isNeeded(operation)) : []),
      ...cases.filter(
        (one) => selection.includes(one) && !(selection.readOnly && one.writes && !isAllowed(one)),
      ),
    ],
  }));
  return { seed, hash: hashOf(seed, selected), stages: selected };
}

/** Whether a case is made with the creates: it may add something, or be an action. */
function isMadeLate({ method, writes, purpose }: Case): boolean {
  return writes && (method === 'POST' || purpose.kind === 'call');
}

/** Pages of every size once the store is known to hold more. */
function pageCases(described: DescribedResource): Case[] {
  const { list } = described.resource.operations;
  const size = boundedPageSize(described.resource);
  if (!list || !size) return [];
  const beyond = [size.max + 1, size.max * 10].map(
    (limit): Case => ({
      ...listCase(list, { limit, stage: 'pages' }),
      purpose: {
        kind: 'silence',
        silence: 'limit-out-of-range',
        probe: `?${size.name}=${limit}`,
      },
    }),
  );
  const filtered = filterValues(described).flatMap(([name, value]) =>
    [{}, { limit: Math.max(size.min, Math.min(10, size.max)) }].map((page) =>
      listCase(list, { ...page, filters: { [name]: value }, stage: 'pages' }),
    ),
  );
  return [
    ...filtered,
    listCase(list, { stage: 'pages' }),
    listCase(list, { limit: size.max, stage: 'pages' }),
    ...beyond,
  ];
}

function toNeeded(one: Case): Case & { operation: Operation } {
  return { ...one, operation: one.operation as Operation, isNeeded: true };
}

function again(one: Case): Case {
  return { ...one, id: `${one.id} (again)`, repeatOf: one.id, priority: 3 };
}

function hashOf(seed: number, stages: Plan['stages']): string {
  const requests = stages.flatMap(({ cases }) =>
    cases.map(({ id, method, path, headers, body, credential }) => [
      id,
      method,
      path,
      headers,
      body,
      credential,
    ]),
  );
  return createHash('sha256')
    .update(JSON.stringify([seed, requests]))
    .digest('hex')
    .slice(0, 12);
}

/** Bodies that break the schema in one place each. */
function invalidCreateCases(described: DescribedResource): Case[] {
  const { create } = described.resource.operations;
  if (!create) return [];
  const plan = planBodies(described.document, described.resource);
  // Of alternatives, a body that breaks one in a property may fit another.
  const properties = plan.parts.isOpen ? [] : plan.properties;
  const status = firstEnum(plan);
  // Many servers take null for absent.
  const isStrict = described.document.hint.requests === 'strict';
  let number = 0;
  const build = (what: string, make: (marker: string) => string): Case => {
    number += 1;
    const marker = `invalid ${number} {{run}}`;
    return createCase(
      create,
      `invalid: ${what}`,
      make(marker),
      { kind: 'invalid-create', what },
      1,
      marker,
    );
  };
  const fields = (marker: string) => validFields(plan, marker, status);
  return [
    ...properties
      // A form without a list may have an empty one.
      .filter(({ required, made }) => required && !(plan.form && typeof made === 'object'))
      .map(({ name }) =>
        build(`${name} missing`, (marker) =>
          toBodyText(
            plan,
            Object.fromEntries(Object.entries(fields(marker)).filter(([key]) => key !== name)),
          ),
        ),
      ),
    ...properties.flatMap(({ name, required, ...property }) =>
      [...wrongValues(property, plan), ...doubled(described.document, plan, { name, ...property })]
        .filter(([, value]) => value !== null || required || isStrict)
        .map(([what, value]) =>
          build(`${name} ${what}`, (marker) =>
            toBodyText(plan, { ...fields(marker), ...markBeside(plan, name), [name]: value }),
          ),
        ),
    ),
    ...(plan.form ? [] : wrongBodiesFor(described.document, create)).map(({ what, make }) =>
      build(`body ${what}`, (marker) => make(toBodyText(plan, fields(marker)))),
    ),
  ];
}

/** A list with the same item twice, where its items are stated to differ. */
function doubled(
  document: Api,
  { form }: BodyPlan,
  { name, schema, isNaming }: Pick<BodyPlan['properties'][number], 'name' | 'schema' | 'isNaming'>,
): [what: string, value: unknown][] {
  if (schema.uniqueItems !== true || isNaming || form) return [];
  const item = exampleValue(document, (schema.items ?? {}) as Schema, name);
  return item === undefined ? [] : [['with an item twice', [item, item]]];
}

/** Another text by which an item can be recognized, for a body whose own one is broken. */
function markBeside({ properties, markerProperty }: BodyPlan, broken: string): Fields {
  const beside = properties.find(
    ({ name, schema, isNaming }) =>
      name !== broken &&
      !isNaming &&
      !isSecret(name, schema) &&
      schema.type === 'string' &&
      freshValue(schema),
  );
  return broken === markerProperty && beside ? { [beside.name]: freshValue(beside.schema) } : {};
}

function firstEnum(plan: BodyPlan): Fields {
  const property = plan.properties.find(
    ({ schema }) => Array.isArray(schema.enum) && !isFlag(schema),
  );
  return property ? { [property.name]: (property.schema.enum as unknown[])[0] } : {};
}
