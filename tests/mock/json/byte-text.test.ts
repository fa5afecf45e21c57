import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toByteText, toText } from '../../../mock/json/exact-json.ts';

it('is the UTF-8 of a text, a character for each byte, and that text again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = toByteText(text);
      expect(Buffer.from(bytes, 'latin1')).toEqual(Buffer.from(text));
      expect(bytes).toHaveLength(Buffer.byteLength(text));
      expect(toText(bytes)).toBe(text.toWellFormed());
    }),
  );
  expect(toByteText('Жучка, Zoë 🐕')).toBe('Ð\u0096Ñ\u0083Ñ\u0087ÐºÐ°, ZoÃ« ð\u009f\u0090\u0095');
});
