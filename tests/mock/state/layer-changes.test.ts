import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/byte-text.ts';
import { createLayerChanges } from '../../../mock/state/layer-changes.ts';

const toItem = (tag: string) => ({ id: '1', json: toByteText('{}'), filters: { tag } });

it('holds the filter values of the items that are there, and of none that were', () => {
  const changes = createLayerChanges();
  for (let n = 0; n < 100; n++) changes.set(0, toItem(`tag ${n}`));
  changes.set(1, toItem('tag 99'));
  expect(changes.indexes).toEqual(new Map([['tag', new Map([['tag 99', [0, 1]]])]]));
  changes.set(0, undefined);
  expect(changes.indexes).toEqual(new Map([['tag', new Map([['tag 99', [1]]])]]));
  changes.set(1, undefined);
  expect(changes.indexes).toEqual(new Map());
});
