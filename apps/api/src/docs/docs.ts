import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { publicAccess } from '@pdf2press/contract';
import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { base } from '../frame/bind.ts';
import { openApiDocument } from './open-api.ts';

/** `/api/docs`: a page for people, without parts from other hosts; `/api/docs/openapi.json`: the document for programs. */
export async function installDocs(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const document = openApiDocument({ title: deps.env.title, version: deps.version, publicUrl: deps.env.publicUrl });
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: publicAccess };
    });
    // The library of the page sets inline styles and shows pictures from data URLs.
    await scope.register(swagger, { mode: 'static', specification: { document: document as never } });
    await scope.register(swaggerUi, {
      routePrefix: `${base}/docs`,
      uiConfig: {
        layout: 'BaseLayout',
        docExpansion: 'none',
        deepLinking: true,
        tryItOutEnabled: false,
        validatorUrl: null,
      },
      theme: { title: `${deps.env.title} API` },
      staticCSP: false,
    });
    scope.get(`${base}/docs/openapi.json`, async () => document);
  });
}
