import type { Control, Edit } from './control.ts';

const api = (file: string): string => `apps/api/src/${file}`;
const attacks = api('attacks.test.ts');
const wall = 'prisma/src/tenant-wall.test.ts';

/** A check that is one statement, and is left out. */
const leftOut = (file: string, statement: string, rest = ''): Edit => ({ file, takes: statement + rest, puts: rest });

/** What keeps people, companies and strangers apart, and this machine from what they send. */
export const controlsOfWalls: readonly Control[] = [
  {
    guard: 'tenant wall, the code: every filter carries the subscriber',
    mutation: 'filters and rows carry no subscriber',
    edits: [
      {
        file: 'prisma/src/guard.ts',
        takes: 'const isWalled = field !== undefined && subscriberId !== undefined;',
        puts: "const isWalled = field === '' && subscriberId !== undefined;",
      },
    ],
    test: { file: wall, name: 'the code alone holds when row-level security is off' },
  },
  {
    guard: 'tenant wall, the code: no filter with undefined',
    mutation: 'undefined in a filter is let through',
    edits: [leftOut('prisma/src/guard.ts', "  if ('where' in guarded) refuseUndefined(guarded.where, 'where');\n")],
    test: { file: wall, name: 'what could slip past the code half is refused' },
  },
  {
    guard: 'tenant wall, the database: a row policy on every table',
    mutation: 'the policy lets every row through',
    edits: [
      {
        file: 'prisma/migrations/20261121080000_wall/migration.sql',
        takes: 'USING (%2$I = current_subscriber()) WITH CHECK (%2$I = current_subscriber())',
        puts: 'USING (%2$I = %2$I) WITH CHECK (%2$I = %2$I)',
      },
    ],
    test: { file: wall, name: 'the database alone holds when the code half is off' },
  },
  {
    guard: 'tenant wall, the database: policies hold for owners, too',
    mutation: 'row-level security is not forced',
    edits: [
      {
        file: 'prisma/migrations/20261121080000_wall/migration.sql',
        takes:
          "  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);\n  EXECUTE format(\n    'CREATE POLICY own_subscriber",
        puts: "  EXECUTE format(\n    'CREATE POLICY own_subscriber",
      },
    ],
    test: { file: wall, name: 'every table forces row-level security and has its policy' },
  },
  {
    guard: 'both walls together: another company’s ids lead nowhere',
    mutation: 'every request reads as the host, through neither wall',
    edits: [
      {
        file: 'prisma/src/guard.ts',
        takes: 'const isWalled = field !== undefined && subscriberId !== undefined;',
        puts: "const isWalled = field === '' && subscriberId !== undefined;",
      },
      {
        file: 'prisma/src/database.ts',
        takes: "const role = context ? 'pdf2press_app' : 'pdf2press_host';",
        puts: "const role = context?.subscriberId === '-' ? 'pdf2press_app' : 'pdf2press_host';",
      },
    ],
    test: { file: api('access-sweep.test.ts'), name: 'the administrator of another subscriber' },
  },
  {
    guard: 'organization wall: people of one see no session of another',
    mutation: 'nobody is restricted to organizations',
    edits: [
      {
        file: 'prisma/src/database.ts',
        takes: "const organizations = context?.organizationIds ? context.organizationIds.join(',') || '-' : '';",
        puts: "const organizations = '';",
      },
    ],
    test: { file: wall, name: 'a person of some organizations sees only their sessions' },
  },
  {
    guard: 'permissions: a route asks for its own',
    mutation: 'no route asks for a permission',
    edits: [
      {
        file: api('frame/access.ts'),
        takes:
          "if (access.kind === 'permission' && !access.anyOf.some((permission) => caller.permissions.has(permission)))",
        puts: "if (access.kind === 'permission' && access.anyOf.length === 0)",
      },
    ],
    test: { file: api('access-sweep.test.ts'), name: 'somebody without any permission' },
  },
  {
    guard: 'permissions: the installation is for its administrators',
    mutation: 'routes of the installation ask for nothing',
    edits: [
      {
        file: api('frame/access.ts'),
        takes: "if (access.kind === 'host' && !caller.hostPermissions.has(access.permission))",
        puts: "if (access.kind === 'host' && access.permission.length === 0)",
      },
    ],
    test: {
      file: api('access-sweep.test.ts'),
      name: 'an administrator of a subscriber, who has every permission of it',
    },
  },
  {
    guard: 'permissions: nobody is signed in without a token',
    mutation: 'nobody has to be signed in',
    edits: [
      {
        file: api('frame/access.ts'),
        takes: "  if (!caller) throw problem('auth.tokenInvalid');",
        puts: '  if (!caller) return;',
      },
    ],
    test: { file: api('access-sweep.test.ts'), name: 'nobody signed in' },
  },
  {
    guard: 'grants: a key is not the person who made it',
    mutation: 'a key may change its maker',
    edits: [
      {
        file: api('roles/grants.ts'),
        takes: "if (caller.kind === 'user' && caller.userId === userId) return;",
        puts: 'if (caller.userId === userId) return;',
      },
    ],
    test: { file: attacks, name: 'neither takes over nor deletes whoever made it' },
  },
  {
    guard: 'grants: roles by default are grants',
    mutation: 'default roles are given by anybody',
    edits: [
      {
        file: api('users/routes.ts'),
        takes: '  demandOwn(\n    caller,\n    defaults.flatMap(({ permissions }) => permissions),\n  );\n',
        puts: '  void caller;\n',
      },
    ],
    test: { file: attacks, name: 'an API key that may only manage users makes nobody who may do more than it' },
  },
  {
    guard: 'grants: making a role the default grants all of it',
    mutation: 'anybody makes any role the default',
    edits: [
      leftOut(
        api('roles/routes.ts'),
        '        if (body.isDefault && !before.isDefault) demandOwn(caller, body.permissions);\n',
      ),
    ],
    test: { file: attacks, name: 'becomes no administrator by making their role the default' },
  },
  {
    guard: 'grants: nobody takes over who may do more',
    mutation: 'rights of the person who is changed do not count',
    edits: [leftOut(api('roles/grants.ts'), '  demandOwn(caller, await permissionsOf(tx, userId));\n')],
    test: { file: attacks, name: 'neither takes over nor deletes whoever made it' },
  },
  {
    guard: 'grants: the mail server is for who may do what everybody may',
    mutation: 'whoever manages the mail server names it',
    edits: [
      {
        file: api('system/settings.ts'),
        takes: "['smtpSettings', 'mailSettings', 'singleSignOnSettings'] as const",
        puts: "['mailSettings', 'singleSignOnSettings'] as const",
      },
    ],
    test: { file: attacks, name: 'sends nobody’s mail to a server of their own unless they may do what everybody may' },
  },
  {
    guard: 'grants: who words the mails with the links to choose a password may do what everybody may',
    mutation: 'whoever writes communication profiles words those mails, too',
    edits: [
      {
        file: api('profiles/account-mails.ts'),
        takes: '  await demandAboveAll(tx, caller, await deps.db.asHost(hostAdministrators));\n',
        puts: '',
      },
    ],
    test: { file: api('profiles/account-mails.test.ts'), name: 'the settings name one, which takes every permission' },
  },
  {
    guard: 'kept mail: links are for administrators of the installation',
    mutation: 'everybody who reads kept mail reads its links',
    edits: [
      {
        file: api('system/mail-routes.ts'),
        takes: 'return caller.hostPermissions.size > 0 ? mails :',
        puts: 'return caller.hostPermissions.size >= 0 ? mails :',
      },
    ],
    test: { file: attacks, name: 'reads no link in messages that are kept; administrators of the installation do' },
  },
  {
    guard: 'outbound: private networks and this machine are not reached',
    mutation: 'no address is checked',
    edits: [
      {
        file: 'packages/mail/src/vet-host.ts',
        takes: 'if (!isAllowed && answers.some(({ address }) => isBlockedAddress(address)))',
        puts: 'if (!isAllowed && answers.length === 0 && isBlockedAddress(plain))',
      },
    ],
    test: { file: 'packages/mail/src/mail.test.ts', name: 'hosts that must not be reached' },
  },
  {
    guard: 'outbound: addresses written as addresses are checked as well',
    mutation: 'only what a look-up answers is checked',
    edits: [
      {
        file: 'packages/mail/src/vet-host.ts',
        takes: 'if (!isAllowed && answers.some(({ address }) => isBlockedAddress(address)))',
        puts: 'if (!isAllowed && !isIP(plain) && answers.some(({ address }) => isBlockedAddress(address)))',
      },
    ],
    test: { file: 'packages/mail/src/mail.test.ts', name: 'hosts that must not be reached' },
  },
  {
    guard: 'outbound: IPv4 inside IPv6 is looked into',
    mutation: 'of the addresses that have an IPv4 address at their end, `::` and `::1` alone are known',
    edits: [
      {
        file: 'packages/mail/src/vet-host.ts',
        takes: "  '::/96',\n",
        puts: "  '::/127',\n",
      },
    ],
    test: { file: 'packages/mail/src/mail.test.ts', name: 'hosts that must not be reached' },
  },
  {
    guard: 'outbound: every hop of a redirection is checked',
    mutation: 'where a redirection leads is allowed',
    edits: [
      {
        file: 'packages/engine/src/sources/guarded-fetch.ts',
        takes: 'await openRequest({ url, method, headers, body: body ?? null }, { allowedHosts, signal }).catch(',
        puts: "await openRequest({ url, method, headers, body: body ?? null }, { allowedHosts: hop === 0 ? allowedHosts : [...allowedHosts, { host: url.hostname, port: Number(url.port), scheme: 'http' as const }], signal }).catch(",
      },
    ],
    test: {
      file: 'packages/engine/src/sources/guarded-fetch.test.ts',
      name: 'a private address is reached only where the environment allows it, also behind a redirect',
    },
  },
  {
    guard: 'outbound: what signs in stays with its origin',
    mutation: 'the header goes wherever a redirection leads',
    edits: [
      leftOut(
        'packages/engine/src/sources/guarded-fetch.ts',
        '      if (next.origin !== url.origin) delete headers.authorization;\n',
      ),
    ],
    test: {
      file: 'packages/engine/src/sources/guarded-fetch.test.ts',
      name: 'what signs in is not sent on to another origin, and is within the same one',
    },
  },
  {
    guard: 'upload room: a full disk takes no file',
    mutation: 'free space is not compared',
    edits: [
      {
        file: api('uploads/demand-room.ts'),
        takes: 'if (room && (room.freeBytes < size || room.freeBytes / room.totalBytes < minimalRoom))',
        puts: 'if (room && size < 0 && minimalRoom > 1)',
      },
    ],
    test: {
      file: api('sessions/sessions.test.ts'),
      name: 'a disk with less than a tenth free takes no file, and says when to come again',
    },
  },
  {
    guard: 'upload refusal: bytes of a refused delivery are known to the collector',
    mutation: 'a refused delivery notes nothing',
    edits: [
      {
        file: api('sessions/create.ts'),
        takes:
          '  const { sessionId, isDuplicate } = await take().catch(async (error: unknown) => {\n    await noteUnused(deps, caller, file);\n    throw error;\n  });',
        puts: '  const { sessionId, isDuplicate } = await take();',
      },
    ],
    test: {
      file: api('sessions/sessions.test.ts'),
      name: 'bytes of a refused delivery are in the books of the collector',
    },
  },
  {
    guard: 'upload refusal: the end’s refusals come at the beginning',
    mutation: 'more bytes than one file may have are begun',
    edits: [
      {
        file: api('uploads/tus.ts'),
        takes: "throw problem('file.tooLarge', { limit: sender.maxBytes });",
        puts: 'void 0;',
      },
    ],
    test: { file: api('uploads/uploads.test.ts'), name: 'what would be refused at the end is refused at the start' },
  },
  {
    guard: 'repetition: the same key with another file is refused',
    mutation: 'the files are not compared',
    edits: [
      {
        file: api('sessions/create.ts'),
        takes: '  if (file !== undefined && !(await isItsFile(deps, caller, id, file)))',
        puts: '  if (file === null)',
      },
    ],
    test: { file: api('sessions/sessions.test.ts'), name: 'the same Idempotency-Key with another file is refused' },
  },
  {
    guard: 'upload names: only what follows the last separator counts',
    mutation: 'a name keeps its folders',
    edits: [
      {
        file: 'packages/contract/src/file-names.ts',
        takes: "const last = name.split(/[/\\\\]/).pop() ?? '';",
        puts: 'const last = name;',
      },
    ],
    test: { file: api('uploads/uploads.test.ts'), name: 'names are cleaned and never become a path' },
  },
  {
    guard: 'upload names: control and direction marks are removed',
    mutation: 'they stay',
    edits: [
      {
        file: 'packages/contract/src/file-names.ts',
        takes: 'const removed = /[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]/gu;',
        puts: 'const removed = /(?!)/gu;',
      },
    ],
    test: { file: api('uploads/uploads.test.ts'), name: 'names are cleaned and never become a path' },
  },
  {
    guard: 'upload names: a blob’s name is an id and a hash',
    mutation: 'any text becomes a path of the store',
    edits: [
      {
        file: 'packages/storage/src/spool.ts',
        takes: 'if (!segment.test(subscriberId) || !sha256Text.test(sha256))',
        puts: 'if (subscriberId.length + sha256.length + segment.source.length + sha256Text.source.length === 0)',
      },
    ],
    test: { file: 'packages/storage/src/storage.test.ts', name: 'disk refuses names that are not ids' },
  },
  {
    guard: 'hot folder: links are not followed',
    mutation: 'neither the file nor its folder is looked at for links',
    edits: [
      {
        file: 'packages/sources/src/folder/run.ts',
        takes: 'constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK',
        puts: 'constants.O_RDONLY | constants.O_NONBLOCK',
      },
      {
        file: 'packages/sources/src/folder/run.ts',
        takes:
          "const isStraight = async (place: string): Promise<boolean> => (await realpath(place).catch(() => '')) === place;",
        puts: "const isStraight = async (place: string): Promise<boolean> => (await realpath(place).catch(() => '')) !== '';",
      },
      {
        file: 'packages/sources/src/folder/run.ts',
        takes: 'return stat.isFile() && stateFrom(stat) === state &&',
        puts: 'return stat.isFile() &&',
      },
    ],
    test: { file: 'packages/sources/src/folder/run.test.ts', name: 'in place of the file is not followed' },
  },
  {
    guard: 'hot folder: the way to a settled file has no links',
    mutation: 'the folder for settled files may be a link',
    edits: [
      {
        file: 'packages/sources/src/folder/run.ts',
        takes:
          "const isStraight = async (place: string): Promise<boolean> => (await realpath(place).catch(() => '')) === place;",
        puts: "const isStraight = async (place: string): Promise<boolean> => (await realpath(place).catch(() => '')) !== '';",
      },
    ],
    test: {
      file: 'packages/sources/src/folder/run.test.ts',
      name: 'in place of the folder for settled files takes nothing outside',
    },
  },
  {
    guard: 'signed links: a logo is named by this server alone',
    mutation: 'any mark is right',
    edits: [
      {
        file: api('organizations/logos.ts'),
        takes: 'given.length === right.length && timingSafeEqual(given, right) ?',
        puts: 'given.length === right.length && timingSafeEqual(right, right) ?',
      },
    ],
    test: {
      file: api('organizations/organizations.test.ts'),
      name: 'a logo is drawn anew, is found by its signed name only',
    },
  },
  {
    guard: 'signed links: a link to a delivered file ends',
    mutation: 'its end, its file and its session do not count',
    edits: [
      {
        file: api('delivered-files/routes.ts'),
        takes: 'return link && !isGone ? link :',
        puts: 'return link && (isGone || link) ? link :',
      },
    ],
    test: {
      file: api('delivered-files/delivered-files.test.ts'),
      name: 'wrong, expired, without its file or without its session',
    },
  },
  {
    guard: 'signed links: cookies that are recognised are ours',
    mutation: 'any signature is right',
    edits: [
      {
        file: api('auth/tokens.ts'),
        takes:
          'return expected.length === given.length && timingSafeEqual(expected, given) ? signed.slice(0, dot) : undefined;',
        puts: 'return timingSafeEqual(expected, expected) && given.length > 0 ? signed.slice(0, dot) : undefined;',
      },
    ],
    test: { file: api('auth/signed-values.test.ts'), name: 'is read with its own signature only' },
  },
  {
    guard: 'public capability: a proof’s link belongs to its session',
    mutation: 'the session in the address does not count',
    edits: [
      {
        file: api('proofs/open-link.ts'),
        takes: 'const isRight = row && secretText.test(proofStepId) && isSame(row.sessionId, sessionId);',
        puts: 'const isRight = row && secretText.test(proofStepId) && isSame(row.sessionId, row.sessionId || sessionId);',
      },
    ],
    test: {
      file: api('proofs/client-proofs.test.ts'),
      name: 'every route get with a wrong link answers as if there were none',
    },
  },
  {
    guard: 'public capability: a revoked link is none',
    mutation: 'revoked links open',
    edits: [
      {
        file: api('proofs/open-link.ts'),
        takes: 'if (!isRight || row.isRevoked) return',
        puts: 'if (!isRight) return',
      },
    ],
    test: {
      file: api('proofs/client-proofs.test.ts'),
      name: 'every route get with a wrong link answers as if there were none',
    },
  },
  {
    guard: 'public capability: a proof that asks for a code shows nothing before it',
    mutation: 'the code is not asked for',
    edits: [leftOut(api('proofs/open-link.ts'), "  if (link.isGuarded) throw problem('proof.codeNeeded');\n")],
    test: {
      file: api('proofs/client-proofs.test.ts'),
      name: 'a link that asks for a code file shows nothing and does nothing before the code is entered',
    },
  },
  {
    guard: 'public capability: a private upload page opens with its code',
    mutation: 'any code is right',
    edits: [
      {
        file: api('upload-pages/open-page.ts'),
        takes:
          'return uploadCodeHash === null || timingSafeEqual(Buffer.from(uploadCodeHash), Buffer.from(hashOf(code)));',
        puts: 'return uploadCodeHash === null || timingSafeEqual(Buffer.from(uploadCodeHash), Buffer.from(uploadCodeHash)) || hashOf(code).length === 0;',
      },
    ],
    test: {
      file: api('upload-pages/upload-pages.test.ts'),
      name: 'unknown, not public, without a workflow, and private without its code are one answer',
    },
  },
  {
    guard: 'public capability: a visit ends with its page and its day',
    mutation: 'a visit goes on',
    edits: [
      {
        file: api('upload-pages/visits.ts'),
        takes: '        expiresAt: { gt: new Date() },\n        organization: isOpen,\n',
        puts: '        ...(isOpen.deletedAt ? {} : {}),\n',
      },
    ],
    test: { file: api('upload-pages/upload-pages.test.ts'), name: 'ends visits when it is no longer public' },
  },
  {
    guard: 'public capability: guesses are counted',
    mutation: 'strangers guess without end',
    edits: [
      {
        file: api('frame/strangers.ts'),
        takes: 'if (await isOverLimit(deps, `${kind} ${ip}`, triesOfStrangers, 600))',
        puts: 'if ((await isOverLimit(deps, `${kind} ${ip}`, triesOfStrangers, 600)) && ip === "")',
      },
    ],
    test: { file: api('proofs/client-proofs.test.ts'), name: 'somebody who guesses links is stopped' },
  },
  {
    guard: 'bodies: a stranger’s is short',
    mutation: 'everybody may send a megabyte',
    edits: [{ file: api('frame/bind.ts'), takes: 'public: 16 * 1024 }', puts: 'public: 1024 * 1024 }' }],
    test: { file: attacks, name: 'bodies of a stranger are short' },
  },
  {
    guard: 'bodies: no call of a function for each value',
    mutation: 'JSON is parsed with a reviver',
    edits: [
      {
        file: api('frame/parsers.ts'),
        takes: 'value = JSON.parse(text);',
        puts: 'value = JSON.parse(text, (_, each) => each);',
      },
    ],
    test: { file: attacks, name: 'are parsed without a function call for each value' },
  },
  {
    guard: 'bodies: prototypes and depths are refused',
    mutation: 'the finished value is not looked at',
    edits: [{ file: api('frame/parsers.ts'), takes: '  refusePoison(value);\n', puts: '  void refusePoison;\n' }],
    test: { file: attacks, name: 'bodies are refused: a prototype' },
  },
  {
    guard: 'bodies: they have a deadline',
    mutation: 'a body may take for ever',
    edits: [
      {
        file: api('frame/slow-bodies.ts'),
        takes:
          'if (!isFile(request)) timers.set(request, setTimeout(() => request.raw.socket.destroy(), deadline).unref());',
        puts: 'if (!isFile(request)) timers.set(request, setTimeout(() => undefined, deadline).unref());',
      },
    ],
    test: { file: attacks, name: 'connections whose body does not come are ended; files may take any time' },
  },
  {
    guard: 'connections: one address has so many',
    mutation: 'they are not counted',
    edits: [
      {
        file: api('frame/slow-bodies.ts'),
        takes: '    if (count > connections) return void socket.destroy();\n',
        puts: '    void connections;\n',
      },
    ],
    test: { file: attacks, name: 'connections are so many of one address and no more' },
  },
  {
    guard: 'live streams: rights are looked at again',
    mutation: 'a stream goes on whatever becomes of its caller',
    edits: [
      {
        file: api('sessions/live.ts'),
        takes: '        if (!fresh) break;\n        caller = fresh;',
        puts: '        caller = fresh ?? caller;',
      },
    ],
    test: { file: attacks, name: 'a live stream ends when its key is revoked, and when its right is taken' },
  },
  {
    guard: 'live streams: one caller has so many',
    mutation: 'they are not counted',
    edits: [
      {
        file: api('sessions/event-hub.ts'),
        takes: 'if (open >= streamsOfOne)',
        puts: 'if (open >= 10 * streamsOfOne)',
      },
    ],
    test: { file: attacks, name: 'is one of thirty that one caller may have open' },
  },
  {
    guard: 'tokens: claims that are compared must be there',
    mutation: 'missing claims are not missed',
    edits: [
      {
        file: api('auth/authenticate.ts'),
        takes: "requiredClaims: ['iss', 'aud', 'exp', 'sub'],",
        puts: "requiredClaims: ['sub'],",
      },
    ],
    test: { file: attacks, name: 'tokens without an end, an issuer or an audience are none, whoever signed them' },
  },
  {
    guard: 'tokens: a refresh token that is shown again ends its family',
    mutation: 'a used one is good again',
    edits: [
      {
        file: api('auth/refresh.ts'),
        takes: '      if (row.isGrace && row.newest === next)',
        puts: '      if (row.isUsed || (row.isGrace && row.newest === next))',
      },
    ],
    test: { file: api('auth/auth.test.ts'), name: 'after ten seconds a used token counts as stolen' },
  },
  {
    guard: 'tokens: what is good for one use is used once',
    mutation: 'a used link is good again',
    edits: [
      {
        file: api('auth/one-time-tokens.ts'),
        takes: 'and used_at is null\n       and expires_at',
        puts: 'and expires_at',
      },
    ],
    test: { file: api('auth/auth.test.ts'), name: 'by a link that works once, ends every session and signs nobody in' },
  },
  {
    guard: 'second factor: a code is taken once',
    mutation: 'the time step is not compared',
    edits: [
      { file: api('auth/second-factor.ts'), takes: 'lastStep: { lt: step } },', puts: 'lastStep: { lte: step } },' },
    ],
    test: {
      file: api('auth/second-factor.test.ts'),
      name: 'asks for a code after the right password only, and takes each code once',
    },
  },
  {
    guard: 'lockout: an account with many failures is locked',
    mutation: 'locks are written and not read',
    edits: [
      {
        file: api('auth/lockout.ts'),
        takes: 'isLocked: isAccountLocked || (isNetworkLocked && !canProve),',
        puts: 'isLocked: isNetworkLocked && !canProve,',
      },
    ],
    test: { file: api('auth/auth.test.ts'), name: 'five failures lock for the configured time' },
  },
  {
    guard: 'lockout: a shared address is asked for proof of work',
    mutation: 'nothing is asked for',
    edits: [
      {
        file: api('auth/lockout.ts'),
        takes: 'needsCaptcha: failures >= captchaAfter || isNetworkLocked,',
        puts: 'needsCaptcha: failures >= captchaAfter,',
      },
    ],
    test: { file: attacks, name: 'an address with many failures is asked for proof of work; its people still sign in' },
  },
  {
    guard: 'sign-in elsewhere: a state belongs to its browser',
    mutation: 'any browser may bring it',
    edits: [
      {
        file: api('single-sign-on/trip.ts'),
        takes: 'const wanted = { purposes: [purpose], data: { browser: browserMark(browser) },',
        puts: 'void browser;\n  const wanted = { purposes: [purpose], data: {},',
      },
    ],
    test: {
      file: api('single-sign-on/single-sign-on.test.ts'),
      name: 'for its state alone: wrong, of another browser, without one, used or too old',
    },
  },
  {
    guard: 'secrets: a sealed text cannot be moved to another row',
    mutation: 'nothing about the row is authenticated',
    edits: [
      {
        file: 'packages/engine/src/secrets/keep-secret.ts',
        takes: "const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));",
        puts: "const cipher = createCipheriv('aes-256-gcm', key, nonce);",
      },
      {
        file: 'packages/engine/src/secrets/keep-secret.ts',
        takes: '      .setAAD(Buffer.from(about))\n      .setAuthTag(',
        puts: '      .setAuthTag(',
      },
    ],
    test: {
      file: api('system/system.test.ts'),
      name: 'secrets cannot be moved to another row, and open only with their key',
    },
  },
  {
    guard: 'messages: HTML that people write is cleaned',
    mutation: 'it is sent as it was written',
    edits: [
      {
        file: 'packages/mail/src/events/sanitize.ts',
        takes: 'export const sanitized = (html: string): string => sanitizeHtml(html, options);',
        puts: 'export const sanitized = (html: string): string => (options.allowedTags ? html : sanitizeHtml(html, options));',
      },
    ],
    test: {
      file: 'packages/mail/src/mail.test.ts',
      name: 'HTML that a person wrote is cleaned after it was filled in',
    },
  },
  {
    guard: 'lists: a spreadsheet finds no formula',
    mutation: 'cells are written as they are',
    edits: [
      {
        file: api('frame/csv.ts'),
        takes: "const safe = formula.test(value) ? `'${value}` : value;",
        puts: 'const safe = formula.test(value) ? value : value;',
      },
    ],
    test: { file: api('sessions/sessions.test.ts'), name: 'exports CSV in which a spreadsheet finds no formula' },
  },
  {
    guard: 'frames: only named sites show a page',
    mutation: 'any site may',
    edits: [
      {
        file: api('frame/security-headers.ts'),
        takes: `        frameAncestors: ["'none'"],\n`,
        puts: `        frameAncestors: ['*'],\n`,
      },
    ],
    test: { file: api('system/system.test.ts'), name: 'answers carry the security headers' },
  },
  {
    guard: 'isolation: a child reads its own files only',
    mutation: 'the fence opens the whole disk',
    edits: [
      {
        file: 'packages/pdf/src/limited/fences.ts',
        takes: "...[...programPaths(), '/proc', ...needs.reads].filter(isThere)",
        puts: "...[...programPaths(), '/proc', '/', ...needs.reads].filter(isThere)",
      },
    ],
    test: { file: 'packages/pdf/src/limited/fences.test.ts', name: 'a child at level "files"' },
  },
  {
    guard: 'isolation: a child has an empty environment',
    mutation: 'it is given ours',
    edits: [
      {
        file: 'packages/pdf/src/limited/run-limited.ts',
        takes: '    env: {\n      PATH:',
        puts: '    env: {\n      ...process.env,\n      PATH:',
      },
    ],
    test: { file: 'packages/pdf/src/limited/limited.test.ts', name: 'has an empty environment' },
  },
];
