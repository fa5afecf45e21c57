import { expect, it, onTestFinished, vi } from 'vitest';
import { ConsoleState } from '../../../../mock/extras/console/browser/state.ts';
import type { Admin, Result } from '../../../../mock/extras/pages/browser/admin.ts';

/** A state whose admin answers with what `answers` has at the time. */
function openState(answers: Record<string, string>) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const asked: string[] = [];
  let notify = () => {};
  const admin: Pick<Admin, 'call' | 'onChange'> = {
    call: async ({ path }): Promise<Result> => {
      asked.push(path);
      const text = answers[path];
      if (text === undefined) return { ok: false, status: 0, message: 'gone' };
      return { ok: true, status: 200, value: text, text };
    },
    onChange: (listener) => {
      notify = listener;
      return () => {
        notify = () => {};
      };
    },
  };
  let drawn = 0;
  const state = new ConsoleState(admin as Admin, () => {
    drawn += 1;
  });
  return { state, asked, counts: () => [asked.length, drawn], change: () => notify() };
}

it('reads what is drawn again and again, draws changes alone, and keeps what it had', async () => {
  const answers: Record<string, string> = { a: '1' };
  const { state, counts, change } = openState(answers);
  const draw = () => state.draw('one', () => state.read('a'));
  expect(draw()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(0);
  expect([draw(), ...counts()]).toEqual(['1', 1, 1]);
  await vi.advanceTimersByTimeAsync(3000);
  expect([draw(), ...counts()]).toEqual(['1', 4, 1]);
  answers.a = '2';
  change();
  await vi.advanceTimersByTimeAsync(0);
  expect([draw(), ...counts()]).toEqual(['2', 5, 2]);
  delete answers.a;
  await vi.advanceTimersByTimeAsync(1000);
  expect([draw(), state.problem]).toEqual(['2', 'gone']);
  state.close();
  await vi.advanceTimersByTimeAsync(5000);
  expect(counts()).toEqual([6, 3]);
});

it('forgets what is not drawn any more, and what a panel kept once another one is open', async () => {
  const { state, asked } = openState({ a: '1', b: '2' });
  const draw = (panel: string, path: string) =>
    state.draw(panel, () => [
      state.reading(path, Number.POSITIVE_INFINITY).value,
      state.keep('typed', 'new')[0],
      state.remember('filter', 'all')[0],
      state.said,
    ]);
  draw('one', 'a');
  state.keep('typed', '')[1]('x');
  state.remember('filter', '')[1]('some');
  state.say('Done.');
  await vi.advanceTimersByTimeAsync(5000);
  expect(draw('one', 'a')).toEqual(['1', 'x', 'some', 'Done.']);
  expect(draw('two', 'b')).toEqual([undefined, 'new', 'some', '']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(draw('one', 'a')[0]).toBeUndefined();
  expect(asked).toEqual(['a', 'b', 'a']);
});

it('reads as often as the part that wants it most often', async () => {
  const { state, counts } = openState({ a: '1' });
  const draw = (panel: string, ...every: number[]) =>
    state.draw(panel, () => every.map((one) => state.read('a', one)));
  draw('one', 5000);
  await vi.advanceTimersByTimeAsync(4000);
  expect(counts()).toEqual([1, 1]);
  draw('two', 5000, 1000);
  await vi.advanceTimersByTimeAsync(2000);
  expect(counts()).toEqual([4, 1]);
  draw('one', 5000);
  await vi.advanceTimersByTimeAsync(7000);
  expect(counts()).toEqual([6, 1]);
});
