/** An event of a stream: its type, and its data. */
export type StreamEvent = { type: string; data: string };

/**
 * Makes the parser of a stream of server-sent events (HTML standard, §9.2.6), as far as the twin
 * writes them: it takes the text as it comes and gives the events that are complete.
 */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => parseBlock(block) ?? []);
  };
}

function parseBlock(block: string): StreamEvent | undefined {
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) data.push(textAfter(line, 5));
    else if (line.startsWith('event:')) type = textAfter(line, 6);
  }
  return data.length === 0 ? undefined : { type, data: data.join('\n') };
}

function textAfter(line: string, start: number): string {
  return line.slice(line[start] === ' ' ? start + 1 : start);
}
