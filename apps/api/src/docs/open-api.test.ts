import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routeTable } from '../frame/bind.ts';
import { type Lab, startLab } from '../testing/lab.ts';
import { openApiDocument } from './open-api.ts';

describe('the OpenAPI document', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
  });
  afterAll(() => lab.stop());

  const document = openApiDocument({ title: 'pdf2press', version: '1', publicUrl: 'http://localhost' }) as {
    openapi: string;
    paths: Record<
      string,
      Record<
        string,
        { operationId: string; parameters: { name: string; in: string; required: boolean }[]; responses: object }
      >
    >;
  };

  test('describes every route, with its parameters, and nothing twice', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(routeTable.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const [path, methods] of Object.entries(document.paths))
      for (const operation of Object.values(methods)) {
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
        expect(
          operation.parameters
            .filter((parameter) => parameter.in === 'path')
            .map(({ name }) => name)
            .sort(),
        ).toEqual([...inPath].sort());
        expect(Object.keys(operation.responses)).toContain('default');
      }
    expect(document.openapi).toBe('3.1.0');
  });

  test('is plain JSON whose references lead somewhere', async () => {
    const served = await lab.call('GET', '/docs/openapi.json');
    const references = [...served.body.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '');
    for (const reference of references) {
      const target = reference
        .split('/')
        .reduce<unknown>(
          (at, key) => (at as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
          JSON.parse(served.body),
        );
      expect(target, reference).toBeDefined();
    }
  });

  test('has a page for people, without parts from other hosts', async () => {
    const page = await lab.call('GET', '/docs/');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/(src|href)="https?:/);
    expect(page.body).not.toMatch(/<script(?![^>]*src)[^>]*>/);
    expect((await lab.call('GET', '/docs/static/swagger-ui-bundle.js')).statusCode).toBe(200);
  });
});
