import { expect, it } from 'vitest';
import { createFindApi } from '../../../mock/apis/find-api.ts';

const find = createFindApi(['users', 'orders']);

it.each([
  ['/users/v1/accounts?a=b', 'localhost:4010', 'users', '/users', '/v1/accounts?a=b'],
  ['/users', 'localhost', 'users', '/users', '/'],
  ['/users?a=/orders', 'localhost', 'users', '/users', '/?a=/orders'],
  ['/users/sandboxes/w1/v1', '[::1]:4010', 'users', '/users', '/sandboxes/w1/v1'],
  ['/orders/users', 'localhost', 'orders', '/orders', '/users'],
  ['http://localhost/users/v1', 'localhost', 'users', '/users', 'http://localhost/v1'],
  ['/.well-known/oauth/users/v1', '127.0.0.1', 'users', '/users', '/.well-known/oauth/v1'],
  ['/v1/accounts', 'users.localhost:4010', 'users', '', '/v1/accounts'],
  ['/orders/1', 'USERS:4010', 'users', '', '/orders/1'],
  ['http://orders.localhost/users', 'localhost', 'orders', '', 'http://orders.localhost/users'],
])('takes %s at %s for %s', (url, host, name, mount, rest) => {
  expect(find({ url, headers: { host } })).toEqual({ name, mount, url: rest });
});

it.each([
  ['/', 'localhost'],
  ['/user', 'localhost'],
  ['/usersx', 'localhost'],
  ['//users', 'localhost'],
  ['/Users', 'localhost'],
  ['/x/users', 'localhost:4010'],
  ['/__admin/users', 'xusers.localhost'],
  ['*', 'localhost'],
])('takes %s at %s for none', (url, host) => {
  expect(find({ url, headers: { host } })).toBeUndefined();
});
