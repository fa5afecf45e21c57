import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import packageJson from '../../package.json' with { type: 'json' };

/** Writes the type declarations of each export of the package, with the types that it needs. */
export async function bundleTypes(root: string, target: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'types-'));
  const compiler = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
  const output = ['--emitDeclarationOnly', '--outDir', emitted];
  const { status } = spawnSync(process.execPath, [...compiler, ...output], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  cpSync(`${root}package/types.d.ts`, `${emitted}/package/types.d.ts`);
  const names = Object.values(packageJson.exports).flatMap((exported) =>
    typeof exported === 'object' ? exported.types.slice('./dist/'.length, -'.d.ts'.length) : [],
  );
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, `${emitted}/${name}.d.ts`])),
    external: /^[^./]/,
    preserveEntrySignatures: 'allow-extension',
    // TypeScript 7 has no programming interface, so it wrote them as a program.
    plugins: [dts({ dtsInput: true, generator: 'oxc', tsconfig: false }), allowAbsent],
  });
  await bundle.write({
    dir: target,
    chunkFileNames: 'package/[name].js',
    // A twin is disposable, which neither the `lib` of most projects nor the DOM knows.
    banner: '/// <reference lib="esnext.disposable" />',
  });
  rmSync(emitted, { recursive: true });
}

/** Who has not installed it gets no types of what is made with it, and no error either. */
const allowAbsent: Plugin = {
  name: 'allow-absent',
  renderChunk: (code) => ({
    code: code.replace(/^import .* from "@faker-js\/faker";$/gm, '// @ts-ignore\n$&'),
    map: null,
  }),
};
