import demoKeyFile from '../fixtures/keys.json' with { type: 'json' };
import type { VersionView } from '../mock/extras/admin/twin-handlers.ts';
import { type Address, createAdminClient, TwinError } from './admin-client.ts';
import { type Twin, type TwinKey, toTwin } from './to-twin.ts';

/**
 * How to reach a running twin. `keys` are the keys it was started with, by default the demo keys.
 */
export type ConnectOptions = Pick<Address, 'adminToken' | 'ca'> & { keys?: readonly TwinKey[] };

/**
 * Takes a twin that runs already, by the base URL of its API: `http://127.0.0.1:4010/v1`. One of a
 * sandbox, `http://127.0.0.1:4010/sandboxes/NAME/v1`, takes that one for its own. Rejects with a
 * TwinError.
 */
export async function connectTwin(
  url: string,
  { keys = demoKeys, ...options }: ConnectOptions = {},
): Promise<Twin> {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new TwinError(
      `"${url}" is not the address of a twin. Give one like http://127.0.0.1:4010/v1.`,
    );
  const { origin, pathname } = new URL(url);
  const address = { origin, ...options };
  const client = createAdminClient(address);
  try {
    const view = JSON.parse(await client.toSend('')('GET', 'version')) as VersionViews;
    const [, api = ''] = pathname.split('/', 2);
    const isOfOne = isOfOneApi(view);
    const found = isOfOne ? view : view[api];
    if (!found)
      throw new TwinError(
        `"${url}" is not the address of an API. Those of its process are ${Object.keys(view).join(', ')}, as in ${origin}/${Object.keys(view)[0]}.`,
      );
    const mount = isOfOne ? '' : `/${api}`;
    const path = pathname.slice(mount.length);
    const [prefix = '', name] = /^\/sandboxes\/([^/]+)/.exec(path) ?? [];
    const basePath = path.slice(prefix.length).replace(/\/+$/, '');
    if (basePath !== found.document.basePath)
      throw new TwinError(
        `"${url}" is not the address of its API, which is at ${origin}${mount}${prefix}${found.document.basePath}.`,
      );
    const twin = toTwin({
      address,
      client,
      fetch: (input, init) => fetch(input, init),
      mount,
      basePath,
      keys,
      close: async () => {},
      ...(name && { name }),
    });
    await twin.clock.now();
    return twin;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** The view of an API, or those of several by their names. */
type VersionViews = VersionView | Record<string, VersionView>;

function isOfOneApi(view: VersionViews): view is VersionView {
  return typeof view.version === 'string';
}

/** The keys of a twin that was started without others; each is its own name. */
const demoKeys: readonly TwinKey[] = demoKeyFile.keys.map(({ key, plan }) => ({
  key,
  name: key,
  plan,
}));
