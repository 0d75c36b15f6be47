import { openPdf } from "@pdf2press/pdf";
export async function* runPages<R>(o: {
	path: string;
	password?: string | undefined;
	pages: readonly number[];
	job: { module: string; name: string };
	params: unknown;
	threads?: number | undefined;
	signal?: AbortSignal;
	file?: unknown;
}): AsyncIterable<{ page: number; result: R }> {
	const m = await import(o.job.module);
	const f = openPdf({ path: o.path, password: o.password });
	const j = m[o.job.name](f, o.params);
	for (const page of o.pages) yield { page, result: j.page(page) as R };
	f.close();
}
