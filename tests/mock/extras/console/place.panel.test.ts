import { expect, it } from 'vitest';
import {
  readPlace,
  toConsoleOf,
  toConsoleUrl,
} from '../../../../mock/extras/console/browser/place.ts';

it.each([
  ['/__admin/console', 'default', '/sandboxes/b/__admin/console#clock'],
  ['/sandboxes/a/__admin/console', 'a', '/sandboxes/b/__admin/console#clock'],
  ['/twin/__admin/console', 'default', '/twin/sandboxes/b/__admin/console#clock'],
  [
    '/sandboxes/x/y/sandboxes/a/__admin/console',
    'a',
    '/sandboxes/x/y/sandboxes/b/__admin/console#clock',
  ],
])('finds the sandbox in %s, and the way to another', (pathname, sandbox, other) => {
  const place = { pathname, hash: '#clock' };
  expect(readPlace(place)).toEqual({ sandbox, panel: 'clock' });
  expect(toConsoleUrl(place, 'b')).toBe(other);
  const back = toConsoleUrl(place, 'default');
  expect(back).toBe(other.replace('/sandboxes/b/', '/'));
});

it.each([
  ['/users/__admin/console', '/orders/__admin/console#clock'],
  ['/twin/users/sandboxes/a/__admin/console', '/twin/orders/sandboxes/a/__admin/console#clock'],
  ['/__admin/console', 'http://127.0.0.1:1/orders/__admin/console#clock'],
  ['/sandboxes/a/__admin/console', 'http://127.0.0.1:1/orders/sandboxes/a/__admin/console#clock'],
])('finds the way from %s to the console of another API', (pathname, other) => {
  const apis = { api: 'users', names: ['users', 'orders'], origin: 'http://127.0.0.1:1' };
  expect(toConsoleOf('orders', apis, { pathname, hash: '#clock' })).toBe(other);
});
