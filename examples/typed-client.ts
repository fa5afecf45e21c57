// A client with the types of the API.
import type { components, operations } from 'petstore-twin/types';

type Pet = components['schemas']['Pet'];
type Query = operations['listPets']['parameters']['query'];

export async function listPets(
  api: string,
  { key, query = {} }: { key: string; query?: Query },
): Promise<Pet[]> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  const response = await fetch(`${api}/pets?${search}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  if (response.ok) return response.json() as Promise<Pet[]>;
  const { message } = (await response.json()) as components['schemas']['Error'];
  throw new Error(message);
}
