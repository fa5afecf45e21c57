import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { compile, type Operation, type Schema } from '../../openapi/index.ts';
import { isSecured } from '../../openapi/model/security.ts';
import { standalone } from '../support/standalone.ts';
import { projectFile } from '../support/twin.ts';

const document = await compile(projectFile('contracts/openapi.yaml'));
const { operations } = document;
const raw = document.asOpenApi();
const schemas = raw.components.schemas;
const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

function operation(id: string): Operation {
  const found = operations.find((one) => one.id === id);
  if (!found) throw new Error(`There is no operation ${id}`);
  return found;
}

function response(id: string, status: string) {
  const found = operation(id).responses.find((one) => one.status === status);
  if (!found) throw new Error(`${id} has no response ${status}`);
  return found;
}

const responses = operations.flatMap(({ id, responses }) =>
  responses.map((one) => ({ id, ...one })),
);
const errors = responses.filter(({ status }) => Number(status) >= 400);

describe('§1 and §9', () => {
  it('is version 1.0.0 of the Pet Store Service', () => {
    expect(raw.info).toMatchObject({ title: 'Pet Store Service', version: '1.0.0' });
  });

  it('has a production and a staging server, each ending in /v1', () => {
    expect(raw.servers.map((server: Schema) => server['x-environment'])).toEqual([
      'production',
      'staging',
    ]);
    for (const { url } of raw.servers) expect(new URL(url).pathname).toMatch(/\/v1$/);
    expect(document.basePath).toBe('/v1');
  });

  it('sends and takes JSON alone', () => {
    const contents: object[] = [];
    JSON.stringify(raw, (key, value) => {
      if (key === 'content') contents.push(value);
      return value;
    });
    expect(contents.length).toBeGreaterThan(8);
    for (const content of contents) expect(Object.keys(content)).toEqual(['application/json']);
  });
});

describe('§2', () => {
  it('has the statuses available, pending and sold', () => {
    expect(schemas.PetStatus).toMatchObject({
      type: 'string',
      enum: ['available', 'pending', 'sold'],
    });
    expect(schemas.PetStatus).not.toHaveProperty('default');
  });

  it('asks a new animal for name and categoryId, and lets it have a status', () => {
    const { type, required, properties } = schemas.NewPet;
    expect({ type, required, names: Object.keys(properties) }).toEqual({
      type: 'object',
      required: ['name', 'categoryId'],
      names: ['name', 'categoryId', 'status'],
    });
    expect(properties.name.type).toBe('string');
    expect(properties.categoryId).toMatchObject({ type: 'integer', format: 'int64' });
    expect(properties.status).toEqual({ $ref: '#/components/schemas/PetStatus' });
  });

  it('has an animal that is a new animal and an id', () => {
    const [base, own] = schemas.Pet.allOf;
    expect(base).toEqual({ $ref: '#/components/schemas/NewPet' });
    expect(own).toMatchObject({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', format: 'int64' } },
    });
    expect(Object.keys(own.properties)).toEqual(['id']);
  });

  it('has an error of code, message and status', () => {
    const { type, required, properties } = schemas.Error;
    expect({ type, required }).toEqual({ type: 'object', required: ['code', 'message', 'status'] });
    expect(Object.entries<Schema>(properties).map(([name, schema]) => [name, schema.type])).toEqual(
      [
        ['code', 'string'],
        ['message', 'string'],
        ['status', 'integer'],
      ],
    );
  });
});

describe('§4', () => {
  it('has these four operations and no other', () => {
    expect(operations.map(({ id, method, path, kind }) => [id, method, path, kind])).toEqual([
      ['listPets', 'GET', '/pets', 'list'],
      ['createPet', 'POST', '/pets', 'create'],
      ['getPet', 'GET', '/pets/{petId}', 'read'],
      ['listOrders', 'GET', '/store/orders', undefined],
    ]);
  });

  it('lists animals by an optional limit from 1 to 100, 20 by default, and an optional status', () => {
    const [limit, status, ...others] = operation('listPets').parameters;
    expect(others).toEqual([]);
    expect(limit).toMatchObject({ name: 'limit', in: 'query', required: false });
    expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
    expect(status).toMatchObject({ name: 'status', in: 'query', required: false });
    expect(status?.schema).toEqual({ $ref: '#/components/schemas/PetStatus' });
    expect(operation('listPets').body).toBeUndefined();
  });

  it('adds an animal from a required body and answers 201 with it', () => {
    const { body, parameters } = operation('createPet');
    expect(parameters).toEqual([]);
    expect(body).toMatchObject({ required: true, schema: { $ref: '#/components/schemas/NewPet' } });
    expect(response('createPet', '201').schema).toEqual({ $ref: '#/components/schemas/Pet' });
    expect(
      operation('createPet').responses.filter(({ status }) => status.startsWith('2')),
    ).toHaveLength(1);
  });

  it('fetches an animal by a required int64 in the path', () => {
    const { parameters, body } = operation('getPet');
    expect(parameters).toMatchObject([
      { name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } },
    ]);
    expect(body).toBeUndefined();
    expect(response('getPet', '200').schema).toEqual({ $ref: '#/components/schemas/Pet' });
  });

  it('deprecates the fetching alone, to be removed on 5 December 2030', () => {
    expect(operations.filter(({ deprecated }) => deprecated).map(({ id }) => id)).toEqual([
      'getPet',
    ]);
    expect(raw.paths['/pets/{petId}'].get['x-deprecated-sunset']).toBe('2030-12-05');
    expect(operation('getPet').sunset).toBe(Date.UTC(2030, 11, 5));
    expect(operation('getPet').deprecatedSince).toBe(Date.UTC(2024, 11, 5));
    expect(raw['x-silences']).toContainEqual(
      expect.objectContaining({ id: 'deprecation-date', twin: '2024-12-05' }),
    );
  });

  it('hides the try-it panel of the store orders alone, and promises no field of them', () => {
    const hidden = operations.filter(
      ({ path, method }) => raw.paths[path][method.toLowerCase()]['x-hideTryItPanel'],
    );
    expect(hidden.map(({ id }) => id)).toEqual(['listOrders']);
    const { schema = {} } = response('listOrders', '200');
    expect(Object.keys(schema).sort()).toEqual(['description', 'x-assumed']);
  });

  it.each([
    ['listPets', ['200', '400', '401', '429']],
    ['createPet', ['201', '400', '401', '413', '415', '429']],
    ['getPet', ['200', '401', '404', '410', '429']],
    ['listOrders', ['200', '401', '429']],
  ])('answers %s with %s', (id, statuses) => {
    expect(operation(id).responses.map(({ status }) => status)).toEqual(statuses);
  });
});

describe('§5', () => {
  it('asks every operation for a bearer token', () => {
    expect(raw.components.securitySchemes).toMatchObject({
      apiKey: { type: 'http', scheme: 'bearer' },
    });
    expect(raw.security).toEqual([{ apiKey: [] }]);
    for (const operation of operations) {
      const { id, path, method } = operation;
      expect(isSecured(operation), id).toBe(true);
      expect(raw.paths[path][method.toLowerCase()], id).not.toHaveProperty('security');
    }
  });
});

describe('§7', () => {
  it.each(errors)('answers $id with an Error at $status', ({ schema }) => {
    expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
  });

  it.each([
    ['createPet', '400', '§4.2, §7'],
    ['listPets', '401', '§5, §7'],
    ['createPet', '401', '§5, §7'],
    ['getPet', '401', '§5, §7'],
    ['getPet', '404', '§4.3, §7'],
    ['listPets', '429', '§7, §8'],
    ['createPet', '429', '§7, §8'],
    ['getPet', '429', '§7, §8'],
    ['listOrders', '429', '§7, §8'],
  ])('holds that %s can answer %s, by %s', (id, status, source) => {
    expect(response(id, status).source).toBe(source);
  });

  it.each([
    ['listPets', '400'],
    ['createPet', '413'],
    ['createPet', '415'],
    ['getPet', '410'],
  ])('marks %s answering %s as assumed', (id, status) => {
    expect(response(id, status)).not.toHaveProperty('source');
    expect(response(id, status).assumed).toBeTruthy();
  });

  it('marks the body of a 429 as assumed', () => {
    expect(
      raw.components.responses.TooManyRequests.content['application/json']['x-assumed'],
    ).toBeTruthy();
  });
});

describe('§8', () => {
  it('has these plans', () => {
    expect(document.plans).toEqual({
      free: { perMinute: 60, perDay: 1000 },
      pro: { perMinute: 300, perDay: 10_000 },
      business: { perMinute: 1000, perDay: 100_000 },
      enterprise: 'custom',
    });
  });

  it.each(responses)('has the three rate limit headers at $id $status', ({ headers }) => {
    for (const name of limitHeaders)
      expect(headers[name]).toMatchObject({ required: true, schema: { type: 'integer' } });
  });

  it('has Retry-After at each 429 and nowhere else', () => {
    const limited = responses.filter(({ headers }) => headers['Retry-After']?.required);
    expect(limited.map(({ id, status }) => `${id} ${status}`)).toEqual(
      operations.map(({ id }) => `${id} 429`),
    );
  });
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const problems = (schema: Schema, value: unknown) => {
    const validate = ajv.compile(standalone(document, document.schemas.resolve(schema)));
    return validate(value) ? [] : ajv.errorsText(validate.errors);
  };
  const bodies = operations.flatMap(({ id, body, responses }) => [
    ...(body ? [{ where: `${id} request`, schema: body.schema, examples: body.examples }] : []),
    ...responses.map(({ status, schema = {}, examples }) => ({
      where: `${id} ${status}`,
      schema,
      examples,
    })),
  ]);

  it.each(bodies)(
    'has named examples of the $where body that fit its schema',
    ({ schema, examples }) => {
      expect(Object.keys(examples)).not.toEqual([]);
      expect(Object.keys(examples)).not.toContain('example');
      for (const [name, value] of Object.entries(examples))
        expect(problems(schema, value), name).toEqual([]);
    },
  );

  it.each(operations.flatMap(({ parameters }) => parameters))(
    'has named examples of $name that fit its schema',
    (parameter) => {
      expect(Object.keys(parameter.examples)).not.toEqual([]);
      for (const value of Object.values(parameter.examples))
        expect(problems(parameter.schema, value)).toEqual([]);
    },
  );

  it.each(Object.entries<Schema>(raw.components.headers))(
    'has an example of %s that matches its schema',
    (_, header) => {
      expect(header).toHaveProperty('example');
      expect(problems(header.schema as Schema, header.example)).toEqual([]);
    },
  );
});

it('tells operations apart that two paths refer to', () => {
  const { operations } = compile({
    openapi: '3.1.0',
    paths: {
      '/a': { get: { operationId: 'read', responses: {} } },
      '/b': { $ref: '#/paths/~1a' },
      '/c': { $ref: '#/paths/~1a' },
    },
  });
  expect(operations.map(({ id }) => id)).toEqual(['read', 'GET /b', 'GET /c']);
});
