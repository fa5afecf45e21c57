import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Behaviours,
  createTwin,
  type GivenItems,
  type Sandbox,
  type TwinSettings,
} from '../../../../package/twin.ts';
import { createSend } from '../../../support/create-send.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { projectFile } from '../../../support/twin.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
export type ShopAnswer = { status: number; body: any; headers: Headers };

/** A twin of the shop of examples/, and what calls it; it ends with the test. */
export async function serveShop(behaviours?: Behaviours | string, settings: TwinSettings = {}) {
  const twin = await createTwin({
    spec: projectFile('examples/shop/openapi.yaml'),
    logLevel: 'silent',
    data: {
      pets: [
        { id: 1, name: 'Rex', status: 'available' },
        { id: 2, name: 'Tom', status: 'sold' },
      ],
      orders: [{ id: 1, petId: 2, status: 'placed' }],
    } as object as GivenItems,
    ...(behaviours && { behaviours }),
    ...settings,
  });
  onTestFinished(() => twin.close());
  const call = callerOf(twin);
  return { twin, call };
}

/** Creates a sender of calls to the API of a twin or of a sandbox. */
export function callerOf({ url, key }: Pick<Sandbox, 'url' | 'key'>) {
  const send = createSend(url, {
    Authorization: `Bearer ${key()}`,
    'Content-Type': 'application/json',
  });
  return async (
    target: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<ShopAnswer> => {
    const [method = 'GET', path] = target.split(' ');
    const { json = '', ...answer } = await send(method, path as string, body, more);
    return { ...answer, body: json };
  };
}

/** Writes files that end with the test, and gives the path of the first one. */
export async function writeFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = makeFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return join(folder, Object.keys(files)[0] ?? '');
}

/**
 * The behaviours of the shop of examples/ in a file, as they are where the package is installed.
 */
export async function copyExample(): Promise<string> {
  const text = await readFile(projectFile('examples/shop/behaviours.ts'), 'utf8');
  const define = projectFile('mock/extras/behaviours/define.ts');
  return writeFiles({ 'behaviours.ts': text.replace("'petstore-twin'", `'${define}'`) });
}
