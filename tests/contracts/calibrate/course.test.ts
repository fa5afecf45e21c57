import { expect, it } from 'vitest';
import { calibrateDeployment } from '../../support/calibrate-command.ts';

it('writes no pins of a target that breaks each connection from some request on', async () => {
  let seen = 0;
  const { code, err, text } = await calibrateDeployment({
    mutate: () => ({
      send: (_call, _answer, response) => {
        seen += 1;
        if (seen > 150) response.socket?.destroy();
        return seen > 150;
      },
    }),
  });
  expect([code, text]).toEqual([2, undefined]);
  expect(err).toMatch(
    / stopped answering, so no profile was written\. The last answer was \d+ to \d+ /,
  );
});

it('writes no pins of a target that stops answering, and says which request was the last', async () => {
  let seen = 0;
  const { code, err, out, text } = await calibrateDeployment({
    mutate: () => ({
      send: (_call, _answer, response) => {
        seen += 1;
        if (seen <= 200) return false;
        response.socket?.destroy();
        // It is gone: nothing listens any more.
        (response.socket as unknown as { server: { close: () => void } }).server?.close();
        return true;
      },
    }),
  });
  expect([code, text, out]).toEqual([2, undefined, '']);
  expect(err).toMatch(
    /^petstore-twin calibrate: http:\S+ stopped answering, so no profile was written\. The last answer was \d+ to \d+ \([A-Z]+ \/\S*\)\.\n$/,
  );
}, 120_000);

it('says what the quota of the keys was too small for, and what was asked in vain', async () => {
  const { code, out, pins, calibrated } = await calibrateDeployment(
    {},
    { keys: ['free=k-free-1'], more: ['--wait', '0'] },
  );
  expect(code).toBe(0);
  expect(out).toMatch(
    /^\d+ questions? w(as|ere) not asked: the quota of the keys is (short|used up)\.$/m,
  );
  expect(out).toMatch(/^Not asked, \d+:$/m);
  expect(out).toMatch(/^ {2}body-size +the quota of the keys is (short|used up)$/m);
  expect(out).toMatch(/^ {2}events +no answer shows it$/m);
  expect(pins).not.toHaveProperty('body-size');
  expect(calibrated.unasked?.[0]).toMatch(/ not asked: the quota of the keys is /);
  expect(calibrated.unpinned?.['body-size']).toMatchObject({ asked: false });
}, 120_000);

it('writes no pins of a target that answers nothing but errors', async () => {
  const { code, err, out, text } = await calibrateDeployment({
    mutate: () => ({ answer: () => ({ status: 503, headers: {}, text: 'down' }) }),
  });
  expect([code, text, out]).toEqual([2, undefined, '']);
  expect(err).toMatch(
    /gave no response that can be recorded, so no profile was written\. The last answer was 503 to \d+ \(/,
  );
}, 120_000);

it('lists what came back where the answers vary', async () => {
  let turn = 0;
  const { out, calibrated } = await calibrateDeployment(
    {
      mutate: (truth) => ({
        orders: (call) => (++turn % 2 === 0 ? { orders: [] } : truth.orders(call)),
      }),
    },
    { more: ['--read-only'] },
  );
  expect(calibrated.unpinned?.['orders-payload']).toMatchObject({
    asked: true,
    reason: expect.stringContaining('its answers vary'),
    evidence: expect.arrayContaining([
      expect.stringMatching(/^GET \/store\/orders: 200, \{orders: array\} \(\d+ times?, last at /),
    ]),
  });
  expect(out).toMatch(/orders-payload +its answers vary[\s\S]*?\n +GET \/store\/orders: 200/);
}, 120_000);
