import { afterAll, beforeAll } from 'vitest';
import { parseRedisUrl, type RedisAddress } from '../../mock/extras/redis/address.ts';
import { type Connection, openConnection } from '../../mock/extras/redis/connection.ts';
import { findRedis } from './redis-command.ts';
import { openRedis, type RedisServer } from './redis-server.ts';

/** A server for all tests of a file, with a connection to it. */
export type UsedRedis = { readonly server: RedisServer; readonly connection: Connection };

/** Opens both before the tests of a file, and closes them behind; not where there is no Redis. */
export function useRedis(): UsedRedis {
  let server: RedisServer;
  let connection: Connection;
  beforeAll(async () => {
    if (!findRedis()) return;
    server = await openRedis();
    connection = await connect(server);
  });
  afterAll(async () => {
    connection?.close();
    await server?.close();
  });
  return {
    get server() {
      return server;
    },
    get connection() {
      return connection;
    },
  };
}

/** Connects to a server as a twin does. */
export function connect({ url }: RedisServer): Promise<Connection> {
  return openConnection(parseRedisUrl(url) as RedisAddress);
}
