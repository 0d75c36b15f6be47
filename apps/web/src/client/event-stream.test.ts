import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventParser, type StreamEvent } from './event-stream.ts';

const stream =
  ': hello\nid: 7\nevent: session\ndata: {"a":\ndata: 1}\n\nid: 8\r\ndata:two\r\n\r\ndata: no id of its own\n\n';

test('events come out whole wherever the text was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 8 }), (cuts) => {
      const heard: StreamEvent[] = [];
      const parse = eventParser((event) => heard.push(event));
      const places = [0, ...cuts.sort((a, b) => a - b), stream.length];
      for (const [at, end] of places.slice(1).entries()) parse(stream.slice(places[at], end));
      expect(heard).toEqual([
        { id: '7', event: 'session', data: '{"a":\n1}' },
        { id: '8', event: 'message', data: 'two' },
        { id: '8', event: 'message', data: 'no id of its own' },
      ]);
    }),
  );
});
