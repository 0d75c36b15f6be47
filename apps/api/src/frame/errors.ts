import { STATUS_CODES } from 'node:http';
import {
  contractMessages,
  type Envelope,
  type ErrorCode,
  errorStatuses,
  type FileFault,
  FileFaultError,
  type Locale,
  nearestLocale,
  type Problem,
  ProblemError,
  problem,
  sentence,
  type WireError,
} from '@pdf2press/contract';
import { isDiskFull, isUnanswered, isUnstorable } from '@pdf2press/engine';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { InvalidRequestError } from './read-part.ts';

/** The language to answer in: the caller's own, or what the browser or program asks for. */
export const localeOf = (request: FastifyRequest): Locale =>
  request.caller?.kind === 'user' ? request.caller.locale : nearestLocale(request.headers['accept-language']);

/** A problem with its sentence in a language. */
export const wireError = (locale: Locale, { code, params, field }: Problem): WireError => ({
  code,
  message: sentence(contractMessages, locale, code, params),
  ...(params ? { params } : {}),
  ...(field ? { field } : {}),
});

const failed = (errors: WireError[]): Envelope<never> => ({ success: false, result: null, errors });

/** Fastify's errors by their code, and the contract's code of each. */
const frameErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.tooLarge',
  FST_REQ_FILE_TOO_LARGE: 'file.tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.notJson',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'request.notJson',
  FST_UNDER_PRESSURE: 'service.tooBusy',
  FST_ERR_REP_INVALID_PAYLOAD_TYPE: 'internal.unexpected',
};

/** What the store says, as the problem that a caller is told. */
const storageErrors: Partial<Record<FileFault, ErrorCode>> = {
  STORAGE_UNAVAILABLE: 'service.unavailable',
  STORAGE_DAMAGED: 'storage.damaged',
};

/** The problems that an error stands for; undefined for an unexpected error, which is answered with 500. */
export function problemsOf(error: unknown): readonly Problem[] | undefined {
  if (error instanceof ProblemError) return error.problems;
  if (error instanceof FileFaultError) {
    const code = storageErrors[error.code];
    return code && [{ code }];
  }
  if (isDiskFull(error)) return [{ code: 'storage.full' }];
  const code = (error as FastifyError | null)?.code;
  const known = code ? frameErrors[code] : undefined;
  if (known) return [{ code: known }];
  if (isUnanswered(error)) return [{ code: 'service.unavailable' }];
  if (isUnstorable(error)) return [{ code: 'request.invalid' }];
  const status = (error as FastifyError | null)?.statusCode;
  if (status === 429) return [{ code: 'request.rateLimited', params: { seconds: 60 } }];
  if (status !== undefined && status >= 400 && status < 500) return [{ code: 'request.invalid' }];
  return undefined;
}

/** The errors that a refusal is told as, in the language of the reader; undefined for an unexpected one. */
export function wireErrorsOf(request: FastifyRequest, error: unknown): WireError[] | undefined {
  const locale = localeOf(request);
  if (error instanceof InvalidRequestError)
    return error.faults.map(({ code, params, field }) => ({
      code,
      message: sentence(contractMessages, locale, code, params),
      ...(params ? { params } : {}),
      ...(field ? { field } : {}),
    }));
  return problemsOf(error)?.map((item) => wireError(locale, item));
}

/** The error handler of the whole API. */
export function installErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const locale = localeOf(request);
    if (error instanceof InvalidRequestError)
      return reply.code(error.status).send(failed(wireErrorsOf(request, error) ?? []));
    const problems = problemsOf(error);
    if (!problems) {
      request.log.error({ err: error }, 'unexpected');
      const internal = wireError(locale, { code: 'internal.unexpected', params: { requestId: request.id } });
      return reply.code(500).send(failed([internal]));
    }
    const status = errorStatuses[problems[0]?.code ?? 'internal.unexpected'];
    const seconds = problems[0]?.params?.seconds;
    if (status === 429 && seconds !== undefined) reply.header('Retry-After', String(seconds));
    // Somebody has to make room first.
    if (status === 507) reply.header('Retry-After', '60');
    if (status === 202 || status === 503) reply.header('Retry-After', '1');
    if (status >= 500) request.log.warn({ err: error }, STATUS_CODES[status]);
    return reply
      .code(status)
      .header('Cache-Control', 'no-store')
      .send(failed(problems.map((item) => wireError(locale, item))));
  });
}

/** Unknown ids and those of other subscribers get the same answer. */
export const notFound = (): ProblemError => problem('resource.notFound');
