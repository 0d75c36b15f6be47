/* Exported as `@pdf2press/engine/secrets`. */
export { type InstanceKeys, openInstanceKeys } from './instance-key.ts';
export { checkSentinel, keepSecret, revealSecret, SecretError } from './keep-secret.ts';
