import {
  type ApiDocument,
  boundedPageSize,
  type Operation,
  type Parameter,
  type Resource,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import {
  type BodyPlan,
  isClearIn,
  planBodies,
  toBodyText,
  validFields,
  wrongBodiesFor,
  wrongValues,
} from './bodies.ts';
import type { Fields } from './body-parts.ts';
import type { Case, CaseStage, Purpose } from './case.ts';

type Kinds = { document: ApiDocument; resource: Resource };

const kindsWithCases: readonly (string | undefined)[] = ['list', 'create', 'read'];

/**
 * Whether the cases of a resource call an operation. Those of another kind are called without
 * parameters where they are a GET, and reported as not called where they are not.
 */
export function hasResourceCases({ kind }: Pick<Operation, 'kind'>): boolean {
  return kindsWithCases.includes(kind);
}

/**
 * The survey at the start of a run, repeated later: everything that the list shows. `round`
 * distinguishes surveys of one stage.
 */
export function surveyCases(
  kinds: Kinds,
  stage: 'before' | 'refused' | 'after' | 'last',
  round?: string,
): Case[] {
  const { list } = kinds.resource.operations;
  if (!list) return [];
  const size = boundedPageSize(kinds.resource);
  const when = { stage, ...(round !== undefined && { round }) };
  const whole = { ...(size && { limit: size.max }), ...when };
  return [
    listCase(kinds, list, whole),
    ...(stage === 'before' && size ? [listCase(kinds, list, when)] : []),
    ...filterValues(kinds).map(([filter, value]) =>
      listCase(kinds, list, { ...whole, filters: { [filter]: value } }),
    ),
  ];
}

/** Boundaries of the page size, filters, and both together. */
export function listCases(kinds: Kinds): Case[] {
  const { list } = kinds.resource.operations;
  const size = boundedPageSize(kinds.resource);
  if (!list || !size) return [];
  const { min, max, default: byDefault = min } = size;
  const limits = [
    min,
    min + 1,
    byDefault - 1,
    byDefault,
    byDefault + 1,
    37,
    42,
    50,
    75,
    max - 1,
  ].filter((limit) => limit >= min && limit <= max);
  const filters = filterValues(kinds);
  return [
    ...[...new Set(limits)].map((limit) => listCase(kinds, list, { limit })),
    ...filters.flatMap(([filter, value]) => [
      listCase(kinds, list, { limit: min, filters: { [filter]: value } }),
      listCase(kinds, list, { limit: min + 4, filters: { [filter]: value } }),
      listCase(kinds, list, { filters: { [filter]: value } }),
    ]),
  ];
}

/** Reads of listed items, and of ids that no item has. */
export function readCases({ resource }: Kinds): Case[] {
  const { read } = resource.operations;
  if (!read) return [];
  const { name } = resource;
  return [
    ...['first', 'middle', 'last'].map((which) => ({
      ...readCase(read, `{{id.${name}.${which}}}`, { kind: 'read', id: which }, 1),
      id: `${read.id}/the ${which} listed`,
    })),
    ...['near', 'far', 'farther'].map((which) => ({
      ...readCase(read, `{{unknown.${name}.${which}}}`, { kind: 'unknown-id' }, 1),
      id: `${read.id}/an unknown id, ${which}`,
    })),
  ];
}

/** Reads of the items that the run created. */
export function readCreatedCases({ resource }: Kinds, creates: readonly Case[]): Case[] {
  const { read } = resource.operations;
  if (!read) return [];
  return creates
    .filter(
      ({ operation, purpose }) =>
        purpose.kind === 'create' && operation === resource.operations.create,
    )
    .map((create) => ({
      ...readCase(read, `{{created.${create.id}}}`, { kind: 'read', id: create.id }, 1),
      id: `${read.id}/of ${create.id}`,
    }));
}

/** Valid bodies of every shape. */
export function createCases(kinds: Kinds): Case[] {
  const { create } = kinds.resource.operations;
  if (!create) return [];
  const plan = planBodies(kinds.document, kinds.resource);
  const build = (
    name: string,
    priority: 1 | 2,
    make: (marker: string) => Fields,
    traits: Pick<
      Extract<Purpose, { kind: 'create' }>,
      'mayRefuse' | 'unused' | 'onlyRequired'
    > = {},
  ): Case => {
    const fields = make(`${name} {{run}}`);
    const marker = String(plan.markerProperty === undefined ? '' : fields[plan.markerProperty]);
    // Of alternatives, a body may fit more than one.
    const isOpen = plan.parts.isOpen || hasUnclearForm(plan, fields);
    const isDoubtful = isOpen || traits.mayRefuse === true;
    const purpose = { kind: 'create', ...traits, ...(isDoubtful && { mayRefuse: true }) } as const;
    return createCase(
      create,
      `valid: ${name}`,
      toBodyText(plan, fields),
      purpose,
      priority,
      marker,
    );
  };
  const optional = plan.properties.filter(({ required }) => !required);
  return [
    build('only required', 1, (marker) => validFields(plan, marker), { onlyRequired: true }),
    ...optional.flatMap(({ name, schema }) =>
      validValues(schema, plan).map((value) =>
        build(`${name} ${value}`, 1, (marker) => validFields(plan, marker, { [name]: value })),
      ),
    ),
    ...(plan.markerProperty
      ? [
          build('letters', 1, (marker) =>
            validFields(plan, `${marker} Žlutý 猫 кот بط 👩‍⚕️ é e\u0301\u00a0x`),
          ),
          build('marks', 1, (marker) =>
            validFields(plan, `${marker} <b>T</b> &amp; "J" 'n' \\/%20+ MiX  {x}`),
          ),
          build('spaces', 2, (marker) => validFields(plan, `  ${marker}  `), { mayRefuse: true }),
          build(
            'controls',
            2,
            (marker) => validFields(plan, `${marker} tab\t line\n bell\u0007 end`),
            { mayRefuse: true },
          ),
          build('digits', 2, () => validFields(plan, '{{digits}}'), { mayRefuse: true }),
          withoutMarker(build('true', 2, () => validFields(plan, 'true'), { mayRefuse: true })),
          build('long', 2, (marker) => validFields(plan, `${marker} ${'long '.repeat(50)}end`), {
            mayRefuse: true,
          }),
        ]
      : []),
    ...plan.properties
      .filter(({ schema }) => schema.type === 'integer' && schema.format === 'int64')
      .flatMap(({ name }) =>
        [9_007_199_254_740_993n, 9_223_372_036_854_775_807n, -9_007_199_254_740_993n].map((value) =>
          build(`${name} ${value}`, 1, (marker) => validFields(plan, marker, { [name]: value }), {
            mayRefuse: true,
            ...(value > 0n && { unused: name }),
          }),
        ),
      ),
    ...Object.entries(plan.examples).map(([name, example]) =>
      build(
        `example ${name}`,
        2,
        (marker) => ({
          ...example,
          ...(plan.markerProperty && { [plan.markerProperty]: marker }),
        }),
        { mayRefuse: true },
      ),
    ),
  ];
}

/** A create with a text that other items may have too. */
function withoutMarker({ marker: _, ...one }: Case): Case {
  return one;
}

/** A create whose body contains the id of an existing item. */
export function createWithIdCases(kinds: Kinds): Case[] {
  const { create } = kinds.resource.operations;
  if (!create) return [];
  const plan = planBodies(kinds.document, kinds.resource);
  const marker = 'with id {{run}}';
  const id = `{{known.${kinds.resource.name}.created|${encodeURIComponent('1')}}}`;
  const body = toBodyText(plan, validFields(plan, marker, { [kinds.resource.idProperty]: id }));
  return [createCase(create, 'with an id', body, { kind: 'create-with-id' }, 2, marker)];
}

/** Bodies that break the schema in one place each. */
export function invalidCreateCases(kinds: Kinds): Case[] {
  const { create } = kinds.resource.operations;
  if (!create) return [];
  const plan = planBodies(kinds.document, kinds.resource);
  if (plan.parts.isOpen) return [];
  const status = firstEnum(plan);
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
    ...plan.properties
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
    ...plan.properties.flatMap(({ name, schema }) =>
      wrongValues(schema, plan).map(([what, value]) =>
        build(`${name} ${what}`, (marker) =>
          toBodyText(plan, { ...fields(marker), [name]: value }),
        ),
      ),
    ),
    ...(plan.form ? [] : wrongBodiesFor(kinds.document, create)).map(({ what, make }) =>
      build(`body ${what}`, (marker) => make(toBodyText(plan, fields(marker)))),
    ),
  ];
}

type ListOptions = {
  limit?: number;
  filters?: Readonly<Record<string, string>>;
  stage?: CaseStage;
  /** Distinguishes cases of one stage. */
  round?: string;
};

export function listCase(
  { resource }: Kinds,
  list: Operation,
  { limit, filters = {}, stage, round }: ListOptions,
): Case {
  const query = [
    ...Object.entries(filters).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    ),
    ...(limit === undefined ? [] : [`${resource.pageSize?.name}=${limit}`]),
  ].join('&');
  const when = stage && ` (${stage}${round === undefined ? '' : `, ${round}`})`;
  return {
    id: `${list.id}/${query || 'plain'}${when ?? ''}`,
    operation: list,
    method: list.method,
    path: `${list.path}${query && `?${query}`}`,
    credential: 'valid',
    purpose: { kind: 'list', ...(limit !== undefined && { limit }), filters },
    ...(stage && { stage }),
    priority: 1,
    writes: false,
  };
}

/** Each value of each filter that the document lists values for. */
export function filterValues({ document, resource }: Kinds): [filter: string, value: string][] {
  return resource.filters.flatMap((filter) => {
    const parameter = resource.operations.list?.parameters.find(
      ({ name }): boolean => name === filter,
    ) as Parameter;
    const { enum: values } = resolveSchema(document, parameter.schema);
    return Array.isArray(values)
      ? values.map((value): [string, string] => [filter, String(value)])
      : [];
  });
}

export function createCase(
  create: Operation,
  name: string,
  body: string,
  purpose: Case['purpose'],
  priority: Case['priority'],
  marker: string,
): Case {
  const form = sendableBodyOf(create)?.form;
  return {
    id: `${create.id}/${name}`,
    operation: create,
    method: create.method,
    path: create.path,
    headers: { 'Content-Type': form?.mediaType ?? 'application/json' },
    body,
    ...(form && { form }),
    credential: 'valid',
    purpose,
    priority,
    ...(isCarried(marker, body) && { marker }),
    writes: true,
  };
}

/** Whether a form has lists or objects of which the document does not say how they are written. */
function hasUnclearForm({ form, properties }: BodyPlan, fields: Fields): boolean {
  if (!form) return false;
  return properties.some(({ name, made }) => name in fields && !isClearIn(form, name, made));
}

/** Whether a JSON text contains a text as a value: only then can an item be recognized by it. */
function isCarried(marker: string, body: string): boolean {
  return body.includes(JSON.stringify(marker));
}

export function readCase(
  read: Operation,
  id: string,
  purpose: Case['purpose'],
  priority: Case['priority'],
): Case {
  return {
    id: `${read.id}/${id}`,
    operation: read,
    method: read.method,
    path: read.path.replace(/\{[^{}]+\}$/, id),
    credential: 'valid',
    purpose,
    priority,
    writes: false,
  };
}

/** No form has a null. */
function validValues({ enum: values, type }: Schema, { form }: BodyPlan): unknown[] {
  if (Array.isArray(values)) return values.filter((value) => !form || value !== null);
  return type === 'boolean' ? [true, false] : [];
}

function firstEnum(plan: BodyPlan): Fields {
  const property = plan.properties.find(({ schema }) => Array.isArray(schema.enum));
  return property ? { [property.name]: (property.schema.enum as unknown[])[0] } : {};
}
