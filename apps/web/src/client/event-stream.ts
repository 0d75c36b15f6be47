/** Reads `text/event-stream` by the HTML standard (9.2.6), as far as a server of ours goes. */
export interface StreamEvent {
  id: string | null;
  event: string;
  data: string;
}

/** Takes text as it comes and hands out whole events. */
export function eventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = '';
  let id: string | null = null;
  let event = '';
  let data: string[] = [];
  const line = (text: string) => {
    if (text === '') {
      if (data.length > 0) onEvent({ id, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    if (text.startsWith(':')) return;
    const colon = text.indexOf(':');
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  };
  return (text) => {
    rest += text;
    // A lone CR at the end may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const each of lines) line(each);
  };
}
