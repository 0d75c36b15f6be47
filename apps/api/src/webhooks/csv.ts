import type { WebhookCall } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const webhookCallColumns: Columns<WebhookCall> = {
  id: ({ id }) => id,
  event: ({ event }) => event,
  sessionId: ({ sessionId }) => sessionId,
  subject: ({ subject }) => subject,
  state: ({ state }) => state,
  tries: ({ tries }) => tries,
  createdAt: ({ createdAt }) => createdAt,
  takenAt: ({ takenAt }) => takenAt,
  nextTryAt: ({ nextTryAt }) => nextTryAt,
  status: ({ status }) => status,
  lastError: ({ lastError }) => lastError,
};
