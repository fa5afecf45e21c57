import { readFile } from 'node:fs/promises';
import { expect, expectTypeOf, it } from 'vitest';
import type { Data } from '../../package/data.ts';
import type { components, operations, paths } from '../../package/types.d.ts';
import { generateTypes } from '../../tools/openapi-types/generate.ts';
import { projectFile } from '../support/twin.ts';

type Pet = components['schemas']['Pet'];

it('holds the types that the document gives today; if not: npm run generate:types', async () => {
  expect(await readFile(projectFile('package/types.d.ts'), 'utf8')).toBe(await generateTypes());
});

it('says what the interface says', () => {
  expectTypeOf<Pet['status']>().toEqualTypeOf<'available' | 'pending' | 'sold' | undefined>();
  expectTypeOf<Pet['id']>().toEqualTypeOf<number>();
  expectTypeOf<paths['/pets']['post']>().toEqualTypeOf<operations['createPet']>();
  expectTypeOf<
    operations['listPets']['responses'][200]['content']['application/json']
  >().toEqualTypeOf<Pet[]>();
  expectTypeOf<keyof operations>().toEqualTypeOf<
    'listPets' | 'createPet' | 'getPet' | 'listOrders'
  >();
});

it('has types for the items of the document, and takes others for what they are', () => {
  const data = {} as Data;
  type Pet = Awaited<ReturnType<typeof data.get<'pets'>>>;
  expectTypeOf<Pet['status']>().toEqualTypeOf<'available' | 'pending' | 'sold' | undefined>();
  expectTypeOf<typeof data.get<'toys'>>().returns.resolves.toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf<typeof data.create<'pets'>>()
    .parameter(1)
    .toExtend<{ id?: number | bigint; name: string; categoryId: number | bigint }>();
  expectTypeOf<typeof data.patch<'pets'>>().parameter(2).toExtend<{ status?: string | null }>();
});
