import { styleText } from 'node:util';
import { toVisible as plain } from '../../common/look/visible.ts';
import { noAdmin, reachable } from '../listener.ts';
import type { Config } from '../settings/settings.ts';
import type { ServedApi } from './index-page.ts';

/** Returns the startup text of a process with several APIs: where each is, and its document. */
export function toBannerOfAll(
  { origin, apis, loopback }: { origin: string; apis: readonly ServedApi[]; loopback: boolean },
  { adminToken }: Pick<Config, 'adminToken'>,
): string {
  const root = reachable(origin);
  const [first] = apis;
  const host = new URL(root);
  host.hostname = `${first?.name}.localhost`;
  const urls = apis.map(({ name, basePath }) => `${root}/${name}${basePath}`);
  const width = Math.max(...urls.map((url) => url.length));
  const nameWidth = Math.max(...apis.map(({ name }) => name.length));
  const rows = apis.map(({ name, title, version, basePath, spec, origin: own }, index) => {
    const url = paint(['bold', 'cyan'], plain(urls[index]?.padEnd(width) ?? ''));
    const port = own === undefined ? '' : `, also ${reachable(own)}${basePath}`;
    return `  ${bold(name.padEnd(nameWidth))}  ${url}  ${plain(`${title} ${version} (${spec})${port}`)}`;
  });
  const hasAdmin = adminToken !== undefined || loopback;
  return [
    `${bold('petstore-twin')} ${dim('serves')} ${apis.length} ${apis.length === 1 ? 'API' : 'APIs'}`,
    '',
    ...rows,
    '',
    `${label('Hosts')}a host names an API, too: ${host.href}`,
    `${label('Admin')}${hasAdmin ? `${root}/__admin (all), ${root}/${first?.name}/__admin (one)` : noAdmin}`,
    `${label('Pages')}${root} (APIs)${hasAdmin ? `, ${root}/__admin/console (console)` : ''}`,
    '',
  ].join('\n');
}

const paint = (style: Parameters<typeof styleText>[0], text: string) =>
  styleText(style, text, { stream: process.stdout });
const bold = (text: string) => paint('bold', text);
const dim = (text: string) => paint('dim', text);
const label = (text: string) => `  ${dim(text.padEnd(7))}`;
