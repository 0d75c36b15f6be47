/* The door `@pdf2press/mail`. */
export { AddressError, isAddress, readAddress } from './address.ts';
export { addressOfServer } from './address-of-server.ts';
export type { AllowedHost } from './allowed-hosts.ts';
export { composeDelivery, type DeliveryMail } from './delivery-mail.ts';
export { accountTemplates, accountText } from './events/account-mail.ts';
export { composeDigest, type GatheredMessage } from './events/digest-mail.ts';
export {
  type ComposedMail,
  type ComposedMessage,
  composeMessage,
  type EventText,
  eventText,
  type MailBrand,
  ownLink,
} from './events/event-mail.ts';
export { type KeptMail, listKeptMail, removeKeptMail } from './kept-mail.ts';
export {
  type Mail,
  type MailEnvironment,
  type SmtpServer,
  sendMail,
  UndeliveredError,
  verifyServer,
} from './send-mail.ts';
export { certificateEnd, portOf } from './server-certificate.ts';
export { composeMail, type MailParams, type MailTemplate, mailTemplates, renderMail } from './templates.ts';
export { BlockedHostError, vetHost } from './vet-host.ts';
