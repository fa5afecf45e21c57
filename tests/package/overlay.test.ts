import { expect, it, onTestFinished } from 'vitest';
import { createTwin, type Sandbox, TwinError } from '../../package/twin.ts';

const list = ({ url, key }: Sandbox, query: string) =>
  fetch(`${url}/pets${query}`, { headers: { Authorization: `Bearer ${key()}` } });

it('serves the document as an overlay corrects it', async () => {
  const corrected = await createTwin({
    overlay: {
      overlay: '1.0.0',
      info: { title: 'Corrections', version: '1' },
      actions: [{ target: "$.paths['/pets'].get.parameters[0].schema", update: { maximum: 5 } }],
    },
  });
  onTestFinished(() => corrected.close());
  expect((await list(corrected, '?limit=6')).status).toBe(400);
  expect((await list(corrected, '?limit=5')).status).toBe(200);
  await expect(createTwin({ overlay: { overlay: '2.0.0' } })).rejects.toThrow(
    new TwinError('The overlay cannot be used as an overlay: "overlay" must be 1.0.0.'),
  );
});
