import helmet from '@fastify/helmet';
import { routes } from '@pdf2press/contract';
import type { Env } from '@pdf2press/engine/env';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { base } from './bind.ts';

/**
 * Sets the security headers. Nothing is loaded from another host, nothing is framed, no script is inline. Inline styles
 * are allowed because the components and the canvas of the web app set style attributes.
 */
export async function installSecurityHeaders(app: FastifyInstance, env: Env): Promise<void> {
  const captchaHosts =
    env.captcha.provider === 'recaptcha' ? ['https://www.google.com', 'https://www.gstatic.com'] : [];
  const isSecure = env.publicUrl.startsWith('https:');
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...captchaHosts],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...captchaHosts],
        workerSrc: ["'self'"],
        frameSrc: ["'self'", ...captchaHosts],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        objectSrc: ["'none'"],
        reportUri: [`${base}${routes.system.cspReport.path}`],
      },
    },
    // Browsers that are told to use https only could not reach an installation in a local network without it.
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-site' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Permissions-Policy'))
      reply.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  });
}

const noFrames = "frame-ancestors 'none'";

/** Lets the pages of these origins show this answer, and no others. */
export function allowFrames(reply: FastifyReply, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(reply.getHeader('Content-Security-Policy'));
  if (!policy.includes(noFrames)) throw new Error('the content security policy says nothing about frames');
  reply.header('Content-Security-Policy', policy.replace(noFrames, `frame-ancestors ${origins.join(' ')}`));
  // The older header cannot list origins; browsers that support the policy ignore it.
  reply.removeHeader('X-Frame-Options');
}
