import { expect, it } from 'vitest';
import { Recording } from '../../../contracts/proxy/recorder.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';

const request = { method: 'POST', url: 'http://127.0.0.1/v1/pets', headers: ['a', '1', 'A', '2'] };

function openRecorder({ maxBody = 100 } = {}) {
  const recorded: RecordedExchange[] = [];
  const onExchange = (one: RecordedExchange) => void recorded.push(one);
  return { recorded, begin: () => new Recording(request, { maxBody, onExchange }) };
}

it('records what passed, headers as they were sent', () => {
  const { recorded, begin } = openRecorder();
  const recording = begin();
  recording.sent.add(Buffer.from('{}'));
  recording.onResponse(201, ['x', '1', 'X', '1']);
  recording.received.add(Buffer.from('[1'));
  recording.received.add(Buffer.from(']'));
  recording.end();
  expect(recorded).toEqual([
    {
      request: {
        method: 'POST',
        url: request.url,
        headers: [
          ['a', '1'],
          ['A', '2'],
        ],
        body: { bytes: new Uint8Array(Buffer.from('{}')) },
      },
      response: {
        status: 201,
        headers: [
          ['x', '1'],
          ['X', '1'],
        ],
        body: { bytes: new Uint8Array(Buffer.from('[1]')) },
      },
      sentAt: expect.any(Number),
      endedAt: expect.any(Number),
    },
  ]);
});

it('holds no more memory than what was recorded', () => {
  const { recorded, begin } = openRecorder();
  const recording = begin();
  recording.onResponse(200, []);
  recording.received.add(Buffer.alloc(1_000_000).subarray(0, 10));
  recording.end();
  expect(recorded[0]?.response?.body.bytes.buffer.byteLength).toBe(10);
});

it('cuts a longer body, and says so', () => {
  const { recorded, begin } = openRecorder({ maxBody: 3 });
  const recording = begin();
  recording.onResponse(200, []);
  for (const chunk of ['ab', 'cd', 'e']) recording.received.add(Buffer.from(chunk));
  recording.end();
  expect(recorded[0]?.response?.body).toEqual({
    bytes: new Uint8Array(Buffer.from('abc')),
    isCut: true,
  });
});

it('blames nobody where the client left, and records what the target had answered', () => {
  const { recorded, begin } = openRecorder();
  begin().leave({ hasSentAll: false });
  expect(recorded).toMatchObject([{ failure: { kind: 'aborted' } }]);
  expect(recorded[0]).not.toHaveProperty('response');
  const recording = begin();
  recording.onResponse(200, []);
  recording.leave({ hasSentAll: true });
  expect(recorded[1]).toMatchObject({ response: { status: 200, body: { isCut: true } } });
  expect(recorded[1]).not.toHaveProperty('failure');
});
