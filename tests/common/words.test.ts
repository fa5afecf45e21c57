import { expect, it } from 'vitest';
import { singular } from '../../common/words.ts';

it.each([
  ['shelves', 'shelf'],
  ['bookshelves', 'bookshelf'],
  ['knives', 'knife'],
  ['leaves', 'leaf'],
  ['heroes', 'hero'],
  ['shoes', 'shoe'],
  ['criteria', 'criterion'],
  ['archives', 'archive'],
  ['warehouses', 'warehouse'],
  ['databases', 'database'],
  ['women', 'woman'],
  ['statuses', 'status'],
  ['special-categories', 'special-category'],
  ...['caches', 'appcaches', 'cookies', 'movies', 'causes', 'uses', 'houses', 'releases'].map(
    (many) => [many, many.slice(0, -1)],
  ),
  ['diagnoses', 'diagnosis'],
  ['people', 'person'],
  ['aliases', 'alias'],
  ['branches', 'branch'],
  ['boxes', 'box'],
  ...['series', 'news', 'species', 'status', 'address', 'analysis', 'data', 'metadata', 'x'].map(
    (one) => [one, one],
  ),
])('takes one of %s for a %s', (many, one) => {
  expect(singular(many)).toBe(one);
});

const countable = {
  access: 'accesses',
  address: 'addresses',
  alias: 'aliases',
  analysis: 'analyses',
  api: 'apis',
  atlas: 'atlases',
  base: 'bases',
  bonus: 'bonuses',
  bus: 'buses',
  campus: 'campuses',
  canvas: 'canvases',
  car: 'cars',
  case: 'cases',
  child: 'children',
  class: 'classes',
  course: 'courses',
  cpu: 'cpus',
  crisis: 'crises',
  criterion: 'criteria',
  db: 'dbs',
  diagnosis: 'diagnoses',
  expense: 'expenses',
  gas: 'gases',
  hero: 'heroes',
  house: 'houses',
  id: 'ids',
  index: 'indices',
  ip: 'ips',
  law: 'laws',
  lens: 'lenses',
  license: 'licenses',
  menu: 'menus',
  pdf: 'pdfs',
  person: 'people',
  process: 'processes',
  quiz: 'quizzes',
  response: 'responses',
  schema: 'schemas',
  shelf: 'shelves',
  sku: 'skus',
  status: 'statuses',
  tag: 'tags',
  token: 'tokens',
  uri: 'uris',
  url: 'urls',
  user_id: 'user_ids',
  virus: 'viruses',
  vm: 'vms',
  vpc: 'vpcs',
};

const uncountable = [
  ...['aws', 'basis', 'bias', 'cors', 'css', 'data', 'dns', 'gps', 'has', 'https', 'ios', 'is'],
  ...['media', 'news', 'os', 'redis', 'rss', 'series', 'sms', 'species', 'this', 'tls', 'us'],
  ...['aws_dns', 'was'],
];

it.each([
  ...Object.entries(countable).flatMap(([one, many]) => [one, many].map((form) => [form, one])),
  ...uncountable.map((one) => [one, one]),
])('takes %s for the form of one %s', (form, one) => {
  expect(singular(form)).toBe(one);
});
