// Sorting, filter and the selected function of a report. The table is there without it.
(function () {
	"use strict";
	var data = JSON.parse(document.getElementById("data").textContent);
	var table = document.getElementById("functions"), body = table.tBodies[0];
	var rows = Array.prototype.slice.call(body.rows), heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
	var find = document.getElementById("find"), shown = document.getElementById("shown");

	function value(row, column) {
		var cell = row.cells[column], v = cell.getAttribute("data-v");
		return v === null ? cell.textContent : v === "" ? -Infinity : +v;
	}

	function sort(column, down) {
		rows.sort(function (a, b) {
			var x = value(a, column), y = value(b, column), order = x < y ? -1 : x > y ? 1 : 0;
			return down ? -order : order;
		});
		rows.forEach(function (row) { body.appendChild(row); });
		heads.forEach(function (th, i) {
			if (i === column)
				th.setAttribute("aria-sort", down ? "descending" : "ascending");
			else
				th.removeAttribute("aria-sort");
		});
	}

	heads.forEach(function (th, i) {
		th.addEventListener("click", function () {
			sort(i, th.getAttribute("aria-sort") ? th.getAttribute("aria-sort") === "ascending" : i > 0);
		});
	});

	function filter() {
		var words = find.value.toLowerCase(), n = 0;
		rows.forEach(function (row) {
			var hit = row.getAttribute("data-s").indexOf(words) >= 0;
			row.hidden = !hit;
			n += hit;
		});
		shown.textContent = words ? n + " of " + rows.length + " functions" : rows.length + " functions";
	}
	find.addEventListener("input", filter);

	function seconds(s) {
		var units = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]], u;
		if (s === null || s === undefined)
			return "-";
		u = units.find(function (x) { return s >= x[0]; }) || units[3];
		return s === 0 ? "0 s" : (s / u[0]).toPrecision(3) + " " + u[1];
	}

	function cell(row, text, name) {
		var td = row.insertCell();
		td.textContent = text;
		if (name)
			td.className = "name text";
	}

	// Callers or callees: each a row that leads there.
	function edges(id, list, end) {
		var tbody = document.getElementById(id).tBodies[0];
		tbody.textContent = "";
		list.sort(function (a, b) { return (b[3] || 0) - (a[3] || 0) || b[2] - a[2]; });
		list.forEach(function (e) {
			var row = tbody.insertRow(), f = data.functions[e[end]];
			cell(row, f ? f[0] : "(no function)", true);
			cell(row, e[2].toLocaleString("en"));
			cell(row, seconds(e[3]));
			cell(row, e[2] && e[3] !== null ? seconds(e[3] / e[2]) : "-");
			if (f)
				row.addEventListener("click", function () { choose(e[end], true); });
		});
		if (!list.length)
			cell(tbody.insertRow(), "none measured", true);
	}

	function histogram(bins) {
		var box = document.getElementById("durations"), most, from = 0;
		box.textContent = "";
		if (!bins) {
			box.textContent = "not measured";
			return;
		}
		most = Math.max.apply(null, bins.map(function (b) { return b[1]; }));
		bins.forEach(function (b) {
			var label = document.createElement("span"), bar = document.createElement("span");
			var count = document.createElement("span");
			label.textContent = b[0] === null ? seconds(from) + " and more" : "below " + seconds(b[0]);
			bar.className = "bar";
			bar.style.width = most ? 100 * b[1] / most + "%" : "0";
			count.textContent = b[1].toLocaleString("en");
			box.append(label, bar, count);
			from = b[0];
		});
	}

	function choose(index, scrolls) {
		var f = data.functions[index], row = rows.find(function (r) { return +r.getAttribute("data-i") === index; });
		rows.forEach(function (r) { r.classList.toggle("chosen", r === row); });
		document.getElementById("name").textContent = f[0] + (f[1] ? " \u2014 " + f[1] + (f[2] ? ":" + f[2] : "") : "");
		edges("callers", data.edges.filter(function (e) { return e[1] === index; }), 0);
		edges("callees", data.edges.filter(function (e) { return e[0] === index; }), 1);
		histogram(f[3]);
		document.getElementById("detail").hidden = false;
		if (scrolls && row)
			row.scrollIntoView({ block: "nearest" });
	}
	rows.forEach(function (row) {
		row.addEventListener("click", function () { choose(+row.getAttribute("data-i"), false); });
	});
	filter();
	if (rows.length)
		choose(+rows[0].getAttribute("data-i"), false);
})();
