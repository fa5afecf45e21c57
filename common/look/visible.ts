/**
 * Controls, characters that change the order or the look of others, and halves of a surrogate pair.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu;

/** Begins a command of Azure Pipelines, TeamCity or GitHub Actions, wherever it stands in a line. */
export const logCommand = /##(?=[\p{L}\p{N}_[])/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text from elsewhere on one line, in which nothing acts on a terminal, a page, an XML parser or a
 * build that reads its log: `\x1b` stands for ESC.
 */
export function toVisible(text: string): string {
  return text
    .replace(unseen, (char) => {
      const code = char.codePointAt(0) ?? 0;
      return (
        short[char] ??
        (code < 0x100
          ? `\\x${hex(code, 2)}`
          : code < 0x10000
            ? `\\u${hex(code, 4)}`
            : `\\u{${hex(code, 5)}}`)
      );
    })
    .replace(logCommand, '#\\x23');
}

/** Text of at most `most` characters, visible, and marked where it is cut. */
export function toExcerpt(text: string, most: number): string {
  const characters = [...toVisible(text.slice(0, most * 2))];
  const left = text.length > most * 2 || characters.length > most;
  return left ? `${characters.slice(0, most - 4).join('')} ...` : characters.join('');
}

/** Returns the message of a thrown value, in one line. */
export function messageOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.replace(/\s*\n\s*/g, ' ');
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
