import { expect, it } from 'vitest';
import { UsedCodes } from '../../../../mock/extras/oauth/context.ts';

it('knows the latest 10,000 codes that were used', () => {
  const codes = new UsedCodes();
  for (let at = 0; at < 10_000; at++) expect(codes.use(`code ${at}`)).toBe(true);
  expect(codes.use('code 0')).toBe(false);
  expect(codes.use('another')).toBe(true);
  expect(codes.use('code 1')).toBe(false);
  expect(codes.use('another')).toBe(false);
  expect(codes.use('code 0')).toBe(true);
});
