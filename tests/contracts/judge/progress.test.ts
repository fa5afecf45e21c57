import { expect, it } from 'vitest';
import { createProgress } from '../../../contracts/judge/progress.ts';

it('moves while exchanges are judged, and not only while they are read', () => {
  const written: string[] = [];
  const line = { show: (text: string) => void written.push(text), clear: () => {} };
  const progress = createProgress(['calls.har'], line);
  progress.onSearch('calls.har', { read: 25, total: 100 });
  for (let count = 0; count < 1000; count++) progress.onExchange();
  progress.onProgress('calls.har', { read: 50, total: 100 });
  progress.onLeft(1000);
  progress.onLeft(500);
  progress.onLeft(0);
  expect(written).toEqual([
    `${'█'.repeat(5)}${'░'.repeat(15)} 25 %  looking for credentials  calls.har`,
    `${'█'.repeat(10)}${'░'.repeat(10)} 50 %  1,000 exchanges  calls.har`,
    `${'░'.repeat(20)} 0 %  0 exchanges  calls.har`,
    `${'█'.repeat(5)}${'░'.repeat(15)} 25 %  500 exchanges  calls.har`,
    `${'█'.repeat(10)}${'░'.repeat(10)} 50 %  1,000 exchanges  calls.har`,
  ]);
});
