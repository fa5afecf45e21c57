import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Item } from '../call.ts';
import { installFromPyPi } from '../install.ts';
import type { RealServer } from '../real-server.ts';
import truth from '../truth/jupyter.json' with { type: 'json' };

const version = '2.21.1';
const token = 'lab-token-1';

const text = (content: string) => ({ type: 'file', format: 'text', content });
const notebook = (source: string) => ({
  type: 'notebook',
  format: 'json',
  content: {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: 'python3', display_name: 'Python 3' } },
    cells: [{ cell_type: 'markdown', id: 'a1', metadata: {}, source }],
  },
});

/** Jupyter Server, with notebooks, checkpoints, terminals, and a kernel that is in the middle of work. */
export const jupyter: RealServer = {
  name: 'jupyter',
  version,
  basePath: '',
  ready: '/api',
  headers: { authorization: `token ${token}` },
  flags: ['--header', `Authorization: token ${token}`],
  settle: 2000,
  install: (folder) => installFromPyPi(folder, [`jupyter-server==${version}`, 'ipykernel==7.4.0']),
  start({ installed, data, port }) {
    const settings = {
      'IdentityProvider.token': token,
      'ServerApp.ip': '127.0.0.1',
      'ServerApp.port': port,
      'ServerApp.port_retries': 0,
      'ServerApp.root_dir': data,
    };
    const lines = Object.entries(settings).map(
      ([key, value]) => `c.${key} = ${JSON.stringify(value)}`,
    );
    const config = `${data}.config`;
    mkdirSync(`${data}.home`);
    writeFileSync(
      `${config}.py`,
      `${lines.join('\n')}\nc.ServerApp.allow_root = True\nc.ServerApp.open_browser = False\n`,
    );
    const env = { HOME: `${data}.home`, SHELL: '/bin/sh', JUPYTER_CONFIG_DIR: config };
    const folders = { JUPYTER_DATA_DIR: `${data}.data`, JUPYTER_RUNTIME_DIR: `${data}.runtime` };
    const args = ['-m', 'jupyter_server', `--config=${config}.py`];
    const ipython = { IPYTHONDIR: `${data}.ipython`, XDG_DATA_HOME: `${data}.home/share` };
    const command = join(installed, 'venv/bin/python');
    return [{ command, args, env: { ...env, ...folders, ...ipython } }];
  },
  async seed(call, { origin }) {
    const put = (path: string, model: object) => call('PUT', `/api/contents/${path}`, model);
    for (const path of ['projects', 'projects/sales', 'archive'])
      await put(path, { type: 'directory' });
    await put('todo.txt', text('- report for Anna\n'));
    await put('projects/sales/north.csv', text('day,orders\n1,20\n2,23\n'));
    await put('archive/notes 2025.txt', text('Old notes\n'));
    for (const name of ['report', 'forecast'])
      await put(`projects/sales/${name}.ipynb`, notebook(`# The ${name} of September`));
    await call('POST', '/api/contents/todo.txt/checkpoints');
    await call('POST', '/api/contents/projects/sales/report.ipynb/checkpoints');
    await put('todo.txt', text('- report for Anna (done)\n- holiday\n'));
    await call('PATCH', '/api/config/notebook', { CodeCell: { indentUnit: 2 } });
    const session = (name: string) =>
      call<{ kernel: Item }>('POST', '/api/sessions', {
        path: `projects/sales/${name}`,
        name,
        type: 'notebook',
        kernel: { name: 'python3' },
      });
    await session('report.ipynb');
    const { kernel } = await session('forecast.ipynb');
    await call('POST', '/api/kernels', { name: 'python3' });
    await call('POST', '/api/terminals', {});
    await keepBusy(`${origin.replace('http', 'ws')}/api/kernels/${kernel.id}`);
  },
  async dump(call, { data }) {
    const list = async (kind: string) => {
      const rows = await call<Item[]>('GET', `/api/${kind}`);
      return Object.fromEntries(rows.map((row) => [row.id ?? row.name, withoutClock(row)]));
    };
    const kinds = { kernels: 'kernels', sessions: 'sessions', terminals: 'terminals' };
    const listed = await Promise.all(Object.values(kinds).map(list));
    return {
      ...Object.fromEntries(Object.keys(kinds).map((kind, index) => [kind, listed[index] ?? {}])),
      files: readFiles(data),
      config: readFiles(`${data}.config`),
      trash: readFiles(`${data}.home/share/Trash`),
    };
  },
  document: async (_, { installed }) => {
    const [file = ''] = globSync(
      join(installed, 'venv/lib/python*/site-packages/jupyter_server/services/api/api.yaml'),
    );
    return readFileSync(file, 'utf8');
  },
  async use(call) {
    for (let number = 1; number <= 4; number += 1) {
      const { name } = await call('POST', '/api/contents/archive', { type: 'file', ext: '.txt' });
      await call('PUT', `/api/contents/archive/${name}`, text(`Draft ${number}\n`));
      await call('GET', `/api/contents/archive/${name}`);
      const path = `archive/draft-${number}.txt`;
      await call('PATCH', `/api/contents/archive/${name}`, { path });
      await call('POST', `/api/contents/${path}/checkpoints`);
      await call('GET', `/api/contents/${path}/checkpoints`);
      if (number < 4) await call('DELETE', `/api/contents/${path}`);
    }
    const { id } = await call('POST', '/api/kernels', { name: 'python3' });
    await call('GET', `/api/kernels/${id}`);
    await call('POST', `/api/kernels/${id}/interrupt`);
    await call('DELETE', `/api/kernels/${id}`);
    for (const kind of ['kernels', 'sessions', 'terminals', 'kernelspecs', 'status'])
      await call('GET', `/api/${kind}`);
  },
  // A deleted file goes to the trash.
  isSideEffect: (kind) => kind === 'trash',
  shape: {
    idOf: (body) => (body as Item).id ?? (body as Item).path ?? (body as Item).name,
    required: 'name',
    deleted: 204,
    updated: 200,
    refuses: false,
    describes404: /\/(contents|terminals)\//,
  },
  truth: truth as RealServer['truth'],
};

/** Lets a kernel run an endless loop, and returns when it has begun. */
async function keepBusy(kernel: string): Promise<void> {
  const socket = new WebSocket(`${kernel}/channels?token=${token}`);
  await once(socket, 'open');
  const header = { msg_id: 'lab-1', msg_type: 'execute_request', session: 'lab', version: '5.3' };
  const code = 'import time\nwhile True: time.sleep(1)';
  const content = { code, silent: false, store_history: true, allow_stdin: false };
  const message = { channel: 'shell', parent_header: {}, metadata: {}, buffers: [], content };
  const date = new Date().toISOString();
  socket.send(JSON.stringify({ ...message, header: { ...header, username: 'anna', date } }));
  await sleep(3000);
  socket.close();
}

/** An item without what changes by itself, in its kernel, too. */
function withoutClock({ last_activity: _, connections: __, ...row }: Partial<Item>): object {
  return row.kernel ? { ...row, kernel: withoutClock(row.kernel as Partial<Item>) } : row;
}

function readFiles(folder: string): Record<string, unknown> {
  if (!existsSync(folder)) return {};
  const entries = globSync(['**', '**/.*/**'], { cwd: folder }).map((path) => {
    const file = join(folder, path);
    const stat = statSync(file);
    return [path, stat.isFile() ? { changed: stat.mtimeMs, text: readFileSync(file, 'utf8') } : {}];
  });
  return Object.fromEntries(entries);
}
