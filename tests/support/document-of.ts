type Schemas = Record<string, string | object>;
type More = { operations?: Record<string, object>; components?: object } & Record<string, unknown>;

const plain: Record<string, object> = {
  any: {},
  text: { type: 'string' },
  int: { type: 'integer' },
  int64: { type: 'integer', format: 'int64' },
  bool: { type: 'boolean' },
  ...Object.fromEntries(['number', 'object', 'null'].map((type) => [type, { type }])),
  ...Object.fromEntries(
    ['date', 'date-time', 'uuid', 'email', 'uri', 'binary'].map((format) => [
      format,
      { type: 'string', format },
    ]),
  ),
};

/**
 * Returns a document of OpenAPI 3.1 from lines such as
 * `listPets: GET /pets?limit:int -> [Pet], 404` and `POST /pets Pet -> 201 Pet`, and of schemas
 * such as `Pet: { readonly id!: int, name! }`. A bracket may be closed on a later line.
 *
 * A path parameter is an integer unless a type follows it, as in `{name:text}`; a parameter of the
 * query is a text. A body is `[media type] schema`, with `!` where it is required. A response is
 * `[status] [media type] schema`, and 200 by default; a description may follow it in brackets.
 * `schemas` has more components, and `operations` more of operations, by method and path; the rest
 * is more of the document.
 */
export function documentOf(
  lines: string,
  schemas: Schemas = {},
  { operations, components, ...more }: More = {},
) {
  // biome-ignore lint/suspicious/noExplicitAny: tests change parts of any form.
  const paths: Record<string, Record<string, any>> = {};
  const given: [name: string, schema: object][] = [];
  for (const line of splitOutside(lines, '\n').map((one) => one.replaceAll(/\s+/g, ' '))) {
    const [, name, written] = /^([A-Z]\w*): (?![A-Z]+ \/)(.+)$/.exec(line) ?? [];
    if (name !== undefined && written !== undefined) {
      given.push([name, schemaOf(written)]);
      continue;
    }
    const [, id, method = '', target = '', sent, answers = ''] =
      /^\s*(?:(\w+): )?([A-Z]+) (\S+)(?: (.+?))? ->\s*(.*)$/.exec(line) ?? [];
    if (target === '') throw new Error(`No operation: ${line}`);
    const [address = '', query = ''] = target.split('?');
    const path = address.replaceAll(/:[\w-]+\}/g, '}');
    const above = [...address.matchAll(/\{([\w-]+)(?::([\w-]+))?\}/g)];
    const item = (paths[path] ??= {
      ...(above.length > 0 && {
        parameters: above.map(([, name, type = 'int']) => ({
          ...{ name, in: 'path', required: true, schema: schemaOf(type) },
        })),
      }),
    });
    const parameters = query.split('&').filter((one) => one !== '');
    item[method.toLowerCase()] = {
      ...(id && { operationId: id }),
      ...(parameters.length > 0 && { parameters: parameters.map(toQueryParameter) }),
      ...(sent && { requestBody: toBody(sent) }),
      responses: Object.fromEntries(splitOutside(answers, ',').map(toResponse)),
      ...operations?.[`${method} ${path}`],
    };
  }
  for (const [name, one] of Object.entries(schemas))
    given.push([name, typeof one === 'string' ? schemaOf(one) : one]);
  return {
    openapi: '3.1.0',
    info: { title: 'Other', version: '2' },
    paths,
    ...((given.length > 0 || components) && {
      components: { schemas: Object.fromEntries(given), ...components },
    }),
    ...more,
  };
}

/** Returns more of operations, by method and path: the `x-twin` of each. */
export function hintsOf(hints: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(Object.entries(hints).map(([key, hint]) => [key, { 'x-twin': hint }]));
}

function toQueryParameter(written: string): object {
  const [, name, required, type = 'text'] = /^([^:!]+)(!?)(?::(.*))?$/.exec(written) ?? [];
  return { name, in: 'query', ...(required && { required: true }), schema: schemaOf(type) };
}

function toResponse(written: string): [status: string, response: object] {
  const [, status = '200', content, description = 'Fine.'] =
    /^(\d\d\d|\dXX|default)?\s*(.*?)\s*(?:\((.*)\))?$/.exec(written) ?? [];
  return [status, { description, ...(content && toContent(content)) }];
}

function toBody(written: string): object {
  const isRequired = written.endsWith('!');
  const content = toContent(isRequired ? written.slice(0, -1) : written);
  return { ...(isRequired && { required: true }), ...content };
}

function toContent(written: string): object {
  const [, type = 'application/json', schema = ''] = /^([\w*]+\/\S+)?\s*(.*)$/.exec(written) ?? [];
  return { content: { [type]: schema === '' ? {} : { schema: schemaOf(schema) } } };
}

/**
 * Returns a schema: `text`, `int`, `bool`, `any`, another type or a format, `Name` of the
 * components, `[items]`, literals as JSON, alternatives with `|`, or an object such as
 * `{ readonly id!: int, name!, note: text | null }`, whose properties are texts by default.
 * `!` marks what is required, and `{| |}` an object without other properties. More keywords stand
 * in parentheses with JSON, as in `int(minimum=1, maximum=9)`.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests change and spread schemas of any form.
export function schemaOf(written: string): any {
  const text = written.trim().replaceAll(/\s+/g, ' ');
  const alternatives = splitOutside(text, '|');
  if (alternatives.length > 1) return toAlternatives(alternatives.map((one) => schemaOf(one)));
  const [, bare, keywords] = /^([\w-]+|[[{].*[\]}])\(([\w-]+=.*)\)$/.exec(text) ?? [];
  if (bare !== undefined && keywords !== undefined)
    return { ...schemaOf(bare), ...toKeywords(keywords) };
  if (text.startsWith('[')) return { type: 'array', items: schemaOf(text.slice(1, -1)) };
  if (text.startsWith('{')) return toObject(text);
  if (/^[A-Z]/.test(text)) return { $ref: `#/components/schemas/${text}` };
  return plain[text] ?? { const: JSON.parse(text) };
}

function toKeywords(written: string): object {
  const pairs = splitOutside(written, ',').map((one): [string, unknown] => {
    const [, name = '', value = ''] = /^([\w-]+)=(.+)$/.exec(one) ?? [];
    return [name, JSON.parse(value)];
  });
  return Object.fromEntries(pairs);
}

function toAlternatives(schemas: Record<string, unknown>[]): object {
  const [first, second] = schemas;
  if (schemas.every((one) => 'const' in one)) return { enum: schemas.map((one) => one.const) };
  const isNullable = schemas.length === 2 && second?.type === 'null' && first?.type !== undefined;
  return isNullable ? { ...first, type: [first.type, 'null'] } : { anyOf: schemas };
}

function toObject(text: string): object {
  const isClosed = text.startsWith('{|');
  const inner = isClosed ? text.slice(2, -2) : text.slice(1, -1);
  const properties = splitOutside(inner, ',').map((one) => {
    const [, access, name = '', required, type = 'text'] =
      /^(?:(readonly|writeonly) )?([^:!]+)(!?)(?::\s*(.*))?$/.exec(one) ?? [];
    const flag = access && { [`${access.slice(0, -4)}Only`]: true };
    return { name, isRequired: required === '!', schema: { ...schemaOf(type), ...flag } };
  });
  const required = properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    ...(isClosed && { additionalProperties: false }),
  };
}

/** Splits a text at a separator that is in no bracket and no quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const { 0: sign, index: at } of text.matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if ('[{('.includes(sign)) depth++;
    if (']})'.includes(sign)) depth--;
    const isBar = sign === '|' && (text[at - 1] === '{' || text[at + 1] === '}');
    if (sign === separator && depth === 0 && !isBar) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((one) => one.trim()).filter((one) => one !== '');
}
