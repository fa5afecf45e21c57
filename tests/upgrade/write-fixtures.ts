import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTwin } from '../../package/twin.ts';
import { formatReport, verify } from '../../package/verify.ts';
import packageJson from '../../package.json' with { type: 'json' };

/*
 * Writes what users keep of this version into a folder of its own; a release runs it once:
 * node tests/upgrade/write-fixtures.ts
 * The pins beside it are those of a mock whose limit below 1 is answered with 422 and one above 100
 * clamped, as calibrate wrote them.
 */

const folderOfVersion = fileURLToPath(new URL(packageJson.version, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
mkdirSync(folderOfVersion, { recursive: true });

const file = join(folder, 'twin.db');
const data = fileURLToPath(new URL('pets.json', import.meta.url));
const twin = await createTwin({ store: `sqlite:${file}`, data });
await twin.clock.freeze('2030-01-01T12:00:00Z');
await fetch(`${twin.url}/pets`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${twin.key()}`, 'Content-Type': 'application/json' },
  body: '{"name":"Ré 🐕","categoryId":9007199254740993}',
});
await twin.limits.exhaust('demo-pro');
const snapshot = await twin.snapshot();
writeFileSync(join(folderOfVersion, 'snapshot.json'), await snapshot.export());
await twin.close();
copyFileSync(file, join(folderOfVersion, 'twin.db'));

const staged = await createTwin();
const target = { url: staged.url, keys: staged.keys.map(({ key }) => key) };
const report = await verify({ target, twin: false, only: ['page-size', 'unknown-id'] });
await staged.close();
writeFileSync(join(folderOfVersion, 'report.json'), formatReport(report, 'json'));
rmSync(folder, { recursive: true });
