/** The main loop of the interpreter: collects operands and executes operators. */
import { createLexer, isSpace, type Lexer, nextToken, packKeyword, tokens, tokenText } from '../open/lexer.ts';
import { readDict, readValue } from '../open/parse-object.ts';
import { isName, type PdfDict } from '../open/values.ts';
import { expandInlineKeys } from './images.ts';
import { findInlineImageEnd } from './inline-image.ts';
import { type Operator, operators } from './operators.ts';
import { drawImage } from './painting.ts';
import type { OperatorEvent } from './types.ts';
import { eventBase, report, spendOperator, type Walk } from './walk.ts';

/** Limit of operands. When it is reached, the oldest ones are dropped, because operators use the last ones. */
const maxOperands = 512;
const beginInlineImage = packKeyword('BI');
const constants = new Map<number, boolean | null>([
  [packKeyword('true'), true],
  [packKeyword('null'), null],
]);

/** Executes the content stream of `walk.run`. */
export function execute(walk: Walk): void {
  const lexer = createLexer(walk.run.bytes);
  const { values } = walk;
  let index = 0;
  walk.operandCount = 0;
  for (;;) {
    const token = nextToken(lexer);
    if (token === tokens.number) {
      push(walk, lexer.number, lexer.start);
      continue;
    }
    if (token === tokens.end) break;
    if (token === tokens.keyword) {
      const keyword = lexer.keyword;
      const constant = constants.get(keyword);
      if (constant !== undefined) {
        push(walk, constant, lexer.start);
        continue;
      }
      if (keyword === -1 && tokenText(lexer) === 'false') {
        push(walk, false, lexer.start);
        continue;
      }
      if (walk.operandCount === 0) walk.opStart = lexer.start;
      walk.opIndex = index;
      index += 1;
      spendOperator(walk);
      if (keyword === beginInlineImage) inlineImage(walk, lexer);
      else {
        walk.opEnd = lexer.pos;
        const operator = keyword === -1 ? undefined : operators.get(keyword);
        if (operator) apply(walk, operator);
        else unknownOperator(walk, lexer);
      }
      walk.operandCount = 0;
      continue;
    }
    const start = lexer.start;
    switch (token) {
      case tokens.string:
        push(walk, { kind: 'string', bytes: lexer.string }, start);
        break;
      case tokens.name:
        push(walk, lexer.name, start);
        break;
      case tokens.arrayStart:
      case tokens.dictStart:
        push(walk, readValue(lexer, token, 0), start);
        break;
      default:
        walk.opStart = start;
        walk.opEnd = lexer.pos;
        report(walk, 'token.bad', { byte: lexer.bytes[start] ?? 0 });
    }
  }
  finish(walk);
  values.length = 0;
}

function push(walk: Walk, value: Walk['values'][number], start: number): void {
  if (walk.operandCount === 0) walk.opStart = start;
  if (walk.operandCount === maxOperands) {
    report(walk, 'operand.tooMany', { count: maxOperands });
    walk.values.copyWithin(0, maxOperands / 2, maxOperands);
    walk.operandCount = maxOperands / 2;
  }
  walk.values[walk.operandCount] = value;
  walk.operandCount += 1;
}

function apply(walk: Walk, operator: Operator): void {
  const { values, listeners } = walk;
  walk.op = operator.name;
  if (listeners.operator.length > 0) tellOperator(walk);
  if (listeners.resource.length > 0 && operator.namesResource) tellResource(walk);
  const count = walk.operandCount;
  const { arity } = operator;
  if (arity < 0) {
    operator.run(walk, 0);
    return;
  }
  if (count !== arity) {
    if (count < arity) {
      report(walk, 'operand.missing', { operator: operator.name, count, needed: arity });
      return;
    }
    report(walk, 'operand.tooMany', { operator: operator.name, count });
  }
  // With too many operands, the last ones are used.
  const base = count - arity;
  if (operator.isNumeric) {
    for (let i = base; i < count; i += 1) {
      const value = values[i];
      if (typeof value !== 'number') {
        report(walk, 'operand.type', { operator: operator.name });
        return;
      }
      // A larger number is a mistake or an attack; calculating with it produces infinities.
      if (!(value > -1e15 && value < 1e15)) {
        report(walk, 'number.huge', { operator: operator.name });
        return;
      }
    }
  }
  operator.run(walk, base);
}

function tellOperator(walk: Walk): void {
  let event: OperatorEvent | null = null;
  for (const { tell, only } of walk.listeners.operator) {
    if (only !== null && !only.has(walk.op)) continue;
    event ??= { ...eventBase(walk), operands: walk.values.slice(0, walk.operandCount) };
    tell(event);
  }
}

function tellResource(walk: Walk): void {
  for (let at = walk.operandCount - 1; at >= 0; at -= 1) {
    const value = walk.values[at];
    if (!isName(value)) continue;
    const use = { run: walk.run, op: walk.op, name: value.name };
    for (const listen of walk.listeners.resource) listen(use);
    return;
  }
}

function unknownOperator(walk: Walk, lexer: Lexer): void {
  walk.op = tokenText(lexer);
  if (walk.listeners.operator.length > 0) tellOperator(walk);
  if (walk.compatibility === 0) report(walk, 'operator.unknown', { operator: walk.op });
}

function inlineImage(walk: Walk, lexer: Lexer): void {
  walk.op = 'BI';
  const dict = expandInlineKeys(readInlineDict(lexer));
  // The single white-space byte after ID belongs to the operator (ISO 32000-1, 8.9.7).
  const dataStart = isSpace(lexer.bytes[lexer.pos]) ? lexer.pos + 1 : lexer.pos;
  const image = walk.tools.images.read(dict, walk.run.resources);
  const found = findInlineImageEnd(lexer.bytes, dataStart, lexer.limit, image);
  lexer.pos = found.next;
  walk.opEnd = found.next;
  walk.values[0] = dict;
  walk.operandCount = 1;
  if (walk.listeners.operator.length > 0) tellOperator(walk);
  if (!found.isTerminated) report(walk, 'inlineImage.unterminated');
  drawImage(walk, image, '', lexer.bytes.subarray(dataStart, found.dataEnd));
}

/** The dictionary entries between BI and ID. */
function readInlineDict(lexer: Lexer): PdfDict {
  const imageData = packKeyword('ID');
  // The entries have no end marker of their own: find ID first, then parse the bytes before it as a dictionary.
  const probe = createLexer(lexer.bytes, lexer.pos, lexer.limit);
  for (;;) {
    const token = nextToken(probe);
    if (token === tokens.end || (token === tokens.keyword && probe.keyword === imageData)) break;
  }
  const dict = readDict(createLexer(lexer.bytes, lexer.pos, probe.start), 0);
  lexer.pos = probe.pos;
  return dict;
}

/** Reports and closes what the content stream has left open. */
function finish(walk: Walk): void {
  const open = walk.saved.length - walk.savedBase;
  if (open > 0) {
    report(walk, 'save.unmatched', { count: open });
    walk.saved.length = walk.savedBase;
  }
  if (walk.markStack.length > walk.markBase) {
    report(walk, 'mark.unmatched', { count: walk.markStack.length - walk.markBase });
    walk.markStack.length = walk.markBase;
  }
  if (walk.isInText) report(walk, 'text.unmatched');
  if (walk.operandCount > 0) report(walk, 'operand.tooMany', { count: walk.operandCount });
}
