/* Exported as `@pdf2press/engine/secrets`. */
export { anchorFaults, signAnchor } from './audit-anchor.ts';
export { type AuditExportFault, auditExportFaults } from './audit-chain.ts';
export { certificateKey, readRecord, type SealFault, sealFault, signCertificate } from './certificate.ts';
export { type InstanceKeys, openInstanceKeys } from './instance-key.ts';
export { checkSentinel, keepSecret, revealSecret, SecretError } from './keep-secret.ts';
